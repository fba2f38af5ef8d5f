// Written by `npm run document`.

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the name and version of the API and the endpoints that a secret key can call.
         * @description Needs no key, and is always available: it asks no other service.
         */
        get: operations["getIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the Collected and Settled balances in the mode of the key.
         * @description A restricted key needs the scope `balance`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customer_accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists customer accounts, newest first.
         * @description A restricted key needs the scope `accounts`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["listCustomerAccounts"];
        put?: never;
        /**
         * Issues a customer's permanent account number, or returns the existing one.
         * @description 201 when it is created, 200 with its current state when it already exists. The reference of a repeat is looked up first: the rest of its body may be missing or invalid. A restricted key needs the scope `accounts`. 300 calls in any 60 minutes, successful or not.
         */
        post: operations["issueCustomerAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customer_accounts/{customer_reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a customer's account.
         * @description A restricted key needs the scope `accounts`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["getCustomerAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists payment sessions, newest first.
         * @description A restricted key needs the scope `payments`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Creates a payment session, or returns the one created with the same reference.
         * @description A new `customer_reference` gets its account at once, for which a restricted key needs no other scope. 201 when it is created, 200 with its current state when it already exists. The reference of a repeat is looked up first: the rest of its body may be missing or invalid. A restricted key needs the scope `payments`.
         */
        post: operations["openPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a payment session and the collections that paid it.
         * @description A restricted key needs the scope `payments`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/crypto": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Not available yet: USDT requires an exchange partner.
         * @description A restricted key needs the scope `payments`.
         */
        post: operations["openCryptoPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/banks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the banks that transfers can be sent to.
         * @description A restricted key needs the scope `transfers:read`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["listBanks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transfers/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns the name of a bank account's holder, at most 60 times in any 60 minutes. In live mode up to 30 first orders to an account count, too.
         * @description A restricted key needs the scope `transfers:write`.
         */
        post: operations["resolveAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists transfers, newest first.
         * @description A restricted key needs the scope `transfers:read`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["listTransfers"];
        put?: never;
        /**
         * Sends money from Settled to a bank account, once for each reference.
         * @description `account_name` is reduced to initials while you order to many accounts for the first time: such orders are accepted all the same. 201 when it is created, 200 with its current state when it already exists. A restricted key needs the scope `transfers:write`.
         */
        post: operations["createTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transfers/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a transfer.
         * @description A restricted key needs the scope `transfers:read`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["getTransfer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{reference}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a pending session now. Its status becomes `expired`; a transfer on its way still pays it late.
         * @description A restricted key needs the scope `payments`.
         */
        post: operations["cancelPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the money received, what was paid last first, with its payers, settlements and events.
         * @description A restricted key needs the scope `collections`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["listCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a collection by the `data.reference` of its event.
         * @description A restricted key needs the scope `collections`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["getCollection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists settlements, the latest first.
         * @description A restricted key needs the scope `balance`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["listSettlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settlements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a settlement and what it settled.
         * @description A restricted key needs the scope `collections`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["getSettlement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the events of the numbered log, oldest first, as they are sent to your server.
         * @description A restricted key needs the scope `events`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an event and the state of its delivery.
         * @description A restricted key needs the scope `events`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends an event to your webhook URL again, with the same bytes and numbers.
         * @description A restricted key needs the scope `events`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        post: operations["replayEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a part of the log to your webhook URL again, in the background, with the same bytes and numbers.
         * @description One part at a time: a repeat while it is being sent starts no second replay, and another part is refused with `replay_running`. `GET /events` shows the state of each delivery. A restricted key needs the scope `events`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        post: operations["replayEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customer_accounts/{customer_reference}/simulate_payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulates a transfer into a customer's account.
         * @description Test keys only. A restricted key needs the scope `accounts`.
         */
        post: operations["simulatePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulates a transfer into a collection account.
         * @description Test keys only. A restricted key needs the scope `payments`.
         */
        post: operations["sandboxPay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plays a fault: what the bank may do with a transfer, or your server with its event.
         * @description Transfers take the path of real money, with events and balances. The faults of payouts (a timeout before a success or a failure, a reversal) depend on the account number that you pay out to: see the guide about payouts. Test keys only. A restricted key needs the scope `payments`.
         */
        post: operations["sandboxPlayScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settles what is Collected now, so that it can be paid out. Live money is settled by its schedule.
         * @description Test keys only. A restricted key needs the scope `balance`.
         */
        post: operations["sandboxSettle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the time in your test mode.
         * @description Test keys only. A restricted key needs the scope `payments`. Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["getTestClock"];
        put?: never;
        /**
         * Advances the test clock: everything in your test mode that waits for a time happens, in order, before the call returns.
         * @description The clock goes forward only, at most 400 days ahead of real time. From then on it stands still until you advance it again, or until real time has caught up with it. It is the time of everything that is made in your test mode: sessions, collections, settlements, transfers, and the `created_at` of their events.
         *
         *     What it moves: the end of payment sessions and of their watch windows, of payment links and of approvals, settlements, the retries of webhooks, and the enquiries after payouts, so that a payout of which the test bank says so is reversed.
         *
         *     What stays in real time: the log of attempts and the `webhook-timestamp` of deliveries, which receivers compare with their own clock, `webhook.test` events, the activation of a staged signing secret, rate limits, limits a day, and whatever happens while the clock stands: a transfer is still credited at once. Live mode has no such clock, and there is no way back: to begin anew, use another business. Test keys only. A restricted key needs the scope `payments`.
         */
        post: operations["advanceTestClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkout/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a session with the fields for the payer; intended for polling.
         * @description At most 240 calls a minute per session, by all callers together, here and on the checkout host; it counts against no budget of the merchant.
         */
        get: operations["getCheckout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkout/{reference}/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stores the payer's name and email, after which the session shows its account and, if a public key created it, its exact amount.
         * @description The same details again return the same session; different ones are refused with `details_already_given`. A session of a public key takes an exact amount here, until half an hour after its end. `amount_slots_exhausted` means that none is free, or that one network holds a tenth of them unpaid: nothing was stored, try again in a few minutes. Beyond 30 of these from one network to one merchant in an hour, or 300 in all, the response is 429 `proof_required`. At most 20 calls a minute per session, by all callers together, here and on the checkout host; it counts against no budget of the merchant. A call that is refused here for its fields is not counted.
         */
        post: operations["giveCheckoutDetails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkout/{reference}/sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that the payer says they have sent the transfer, which extends the expiry once.
         * @description At most 20 calls a minute per session, by all callers together, here and on the checkout host; it counts against no budget of the merchant.
         */
        post: operations["reportCheckoutSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a session with a public key. Browsers call the same endpoint on the checkout host, which allows CORS.
         * @description A public key and an order's id can be sent by anyone, so `reference` finds no session again: only the caller's own `client_nonce` does, and without one every call, also a repeat after a lost response, creates another session. A session has no account, and its `amount` is `amount_requested`, until the payer's details are given; until then it costs nothing and holds no amount. Beyond 30 calls a minute from one network, or 600 of a merchant, the response is 429 `proof_required`: repeat the call with the solved challenge as `proof`. Fields that the merchant does not allow under its public key are left out and named in `warnings`. 201 when it is created, 200 with its current state when it already exists.
         */
        post: operations["openCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "collection.success": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Money was received in a customer's account or in a collection account.
         * @description Verify the signature over the raw body before reading it, and credit `data.amount` to the customer or session that it names, once for each `data.reference`; if it names none, wait for `collection.attached`. Without a 2xx response within 15 seconds it is retried for about 72 hours.
         */
        post: operations["collectionSuccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "collection.attached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Your team attached money that had matched nothing to a payment session or a customer. No further money was received: its `collection.success` had the same `data.reference`.
         * @description Verify the signature over the raw body before reading it, and credit `data.amount` to the customer or session that it names, unless you have credited this `data.reference` already. Without a 2xx response within 15 seconds it is retried for about 72 hours.
         */
        post: operations["collectionAttached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "collection.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The bank took back a collection, or a part of it. Our fee on it is given back; the rest is taken from Collected, then from Settled, and what both lack is owed and taken from what is received next.
         * @description Verify the signature over the raw body before reading it, and take `data.amount` back from the customer to whom you credited `data.collection_reference`, once for each `data.reference`. Without a 2xx response within 15 seconds it is retried for about 72 hours.
         */
        post: operations["collectionReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transfer.success": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The beneficiary's bank accepted a transfer.
         * @description Verify the signature over the raw body before reading it, and act on each pair of `event` and `data.reference` once: a success and its reversal share the reference. Without a 2xx response within 15 seconds it is retried for about 72 hours.
         */
        post: operations["transferSuccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transfer.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A transfer failed, and its money is back in Settled.
         * @description Verify the signature over the raw body before reading it, and act on each pair of `event` and `data.reference` once: a success and its reversal share the reference. Without a 2xx response within 15 seconds it is retried for about 72 hours.
         */
        post: operations["transferFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transfer.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The bank reversed a successful transfer, and its money is back in Settled.
         * @description Verify the signature over the raw body before reading it, and act on each pair of `event` and `data.reference` once: a success and its reversal share the reference. Without a 2xx response within 15 seconds it is retried for about 72 hours.
         */
        post: operations["transferReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A member of your team sent it from the dashboard to test your endpoint. No money is involved.
         * @description Verify the signature over the raw body before reading it, and credit nothing. Without a 2xx response within 15 seconds it is sent once more.
         */
        post: operations["webhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sent to a new webhook URL. Respond with `data.challenge`, as the body or in a JSON field `challenge`, to receive events there.
         * @description Verify the signature over the raw body before reading it, and respond with the challenge within 8 seconds. Nothing else is sent to the URL until then.
         */
        post: operations["endpointChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description Your two balances in one mode.
         * @example {
         *       "mode": "test",
         *       "currency": "NGN",
         *       "collected": 2475.72,
         *       "settled": 0,
         *       "as_of": "2026-11-21T09:34:12.480+00:00",
         *       "ledger_sequence": 1
         *     }
         */
        Balance: {
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * @description Always naira.
             * @constant
             */
            currency: "NGN";
            /** @description Naira received for you, less the fee, and not settled yet. It cannot be paid out. */
            collected: number;
            /** @description Naira that is yours and can be paid out: settled, less transfers sent or pending. */
            settled: number;
            /** @description Naira that you owe: a bank took back more than you had in both balances. It is taken from what is received next, and from what transfers return; until then Collected is 0. Absent if you owe nothing. */
            owed?: number;
            /**
             * Format: date-time
             * @description When both were read, in one statement.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            as_of: string;
            /** @description Grows with every booking on either balance: of two responses, the one with the greater number is the newer one. */
            ledger_sequence: number;
        };
        /**
         * @description The one permanent account number of a customer, in one mode.
         * @example {
         *       "customer_reference": "cust_42",
         *       "customer_name": "Ngozi Eze",
         *       "account_number": "0000000419",
         *       "account_name": "Ada Stores / Ngozi Eze",
         *       "bank_name": "Test Bank",
         *       "status": "active",
         *       "metadata": {
         *         "branch": "yaba"
         *       },
         *       "mode": "test",
         *       "created_at": "2026-11-21T09:30:00.123+00:00"
         *     }
         */
        CustomerAccount: {
            /**
             * @description Your own key for the customer.
             * @example cust_42
             */
            customer_reference: string;
            /** @description As it was first sent; a repeat with another name changes nothing. */
            customer_name: string;
            /** @description The customer's own, permanently: ten digits (NUBAN). In test mode it can receive no real transfer. */
            account_number: string;
            /** @description What a payer's bank shows for the number: your business, perhaps shortened, and the customer, as in `Ada Stores / Ngozi Eze`. */
            account_name: string;
            /** @description The partner bank that holds the account. */
            bank_name: string;
            /**
             * @description `retired` is permanent: no new sessions and simulations, but money that still arrives is credited, with `collection.success`.
             * @enum {string}
             */
            status: "active" | "retired";
            /**
             * @description Your own values with it, as you sent them; `{}` if you sent none.
             * @example {
             *       "branch": "yaba"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description When the account was issued.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
        };
        /**
         * @description A page of customer accounts.
         * @example {
         *       "data": [
         *         {
         *           "customer_reference": "cust_42",
         *           "customer_name": "Ngozi Eze",
         *           "account_number": "0000000419",
         *           "account_name": "Ada Stores / Ngozi Eze",
         *           "bank_name": "Test Bank",
         *           "status": "active",
         *           "metadata": {
         *             "branch": "yaba"
         *           },
         *           "mode": "test",
         *           "created_at": "2026-11-21T09:30:00.123+00:00"
         *         }
         *       ],
         *       "limit": 20,
         *       "has_more": false,
         *       "next": null,
         *       "mode": "test",
         *       "offset": 0
         *     }
         */
        CustomerAccountList: {
            /** @description The page: newest first, where no parameter says otherwise. */
            data: components["schemas"]["CustomerAccount"][];
            /** @description The most rows that the page can have: yours, or 100 if that is less. */
            limit: number;
            /** @description Whether there are rows after this page. */
            has_more: boolean;
            /** @description The `after` of the next page; null on the last one. */
            next: string | null;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /** @description How many of the newest rows were skipped; 0 with `after`. */
            offset: number;
        };
        /**
         * @description A payment session that a secret key created, which has its account from the beginning.
         * @example {
         *       "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *       "merchant_reference": "order-1001",
         *       "status": "paid",
         *       "amount": 2500.73,
         *       "amount_requested": 2500,
         *       "amount_received": 2500.73,
         *       "currency": "NGN",
         *       "account_number": "0000000419",
         *       "account_name": "Ada Stores / Ngozi Eze",
         *       "bank_name": "Test Bank",
         *       "checkout_url": "https://checkout.example.com/pay/pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *       "collects": [
         *         "bank_transfer"
         *       ],
         *       "customer_reference": "cust_42",
         *       "customer_name": "Ngozi Eze",
         *       "description": "Two bags of rice",
         *       "redirect_url": "https://shop.example.com/thanks?order=1001",
         *       "collections": [
         *         {
         *           "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *           "amount": 2500.73,
         *           "fee": 25.01,
         *           "net": 2475.72,
         *           "paid_at": "2026-11-21T09:34:12.480+00:00"
         *         }
         *       ],
         *       "details_required": false,
         *       "opened_by": "secret_key",
         *       "payment_link": null,
         *       "expires_at": "2026-11-21T10:00:00.123+00:00",
         *       "created_at": "2026-11-21T09:30:00.123+00:00",
         *       "paid_at": "2026-11-21T09:34:12.480+00:00",
         *       "metadata": {
         *         "branch": "yaba"
         *       },
         *       "mode": "test"
         *     }
         */
        CreatedPayment: {
            /**
             * @description Our id of the session. It is also the `data.reference` of the first `collection.success` that is matched to it.
             * @example pay_7Yk3pQ2mVd9sRw4tXb6nLc
             */
            reference: string;
            /** @description Your order id, sent as `reference`; null if you sent none. */
            merchant_reference: string | null;
            /**
             * @description What has happened so far. Every transfer that is matched sends `collection.success`, and one that your team attaches `collection.attached`; a change of the status alone sends nothing.
             *     - `pending`: waiting for the transfer.
             *     - `processing`: the payer says that it was sent, which extends the expiry once.
             *     - `paid`: exactly `amount` was received, in one transfer or several. A payer who sends it once more leaves it `paid`: `amount_received` is then more than `amount`.
             *     - `underpaid`: less was received: in a customer's own account, or because your team attached a transfer. In a customer's own account a further transfer can make it `paid` or `overpaid`.
             *     - `overpaid`: more was received: in a customer's own account, or because your team attached a transfer. It is all yours.
             *     - `expired`: nothing was received in time.
             *     - `paid_late`: exactly `amount` was received after the expiry, or attached by your team after it.
             * @enum {string}
             */
            status: "pending" | "processing" | "paid" | "underpaid" | "overpaid" | "expired" | "paid_late";
            /** @description What the payer must send, exactly: `amount_requested` plus 1 to 99 kobo, by which the transfer is recognized. In a session of a public key it is `amount_requested` until the payer's details are given. */
            amount: number;
            /** @description What was requested, in naira. */
            amount_requested: number;
            /** @description The sum of all transfers that were matched to the session, in naira, before the fee. */
            amount_received: number;
            /** @description How much of `amount_received` banks took back, in naira; absent if they took nothing. The status stays as it was. */
            amount_reversed?: number;
            /**
             * @description Always naira.
             * @constant
             */
            currency: "NGN";
            /** @description The account to pay into: the customer's own if there is a `customer_reference`, otherwise a collection account of yours, which others pay into, too. */
            account_number: string;
            /** @description What the payer's bank shows for the account number, for the payer to compare. */
            account_name: string;
            /** @description The bank that holds the account. */
            bank_name: string;
            /**
             * Format: uri
             * @description The page on the checkout host to send the payer to.
             */
            checkout_url: string;
            /** @description How it can be paid: only by bank transfer for now. Further ways may be added. */
            collects: "bank_transfer"[];
            /** @description Your own key for the customer; null if you sent none. */
            customer_reference: string | null;
            /** @description The customer's name, or else the name that the payer gave at the checkout; null without either. */
            customer_name: string | null;
            /** @description What the payment is for; null if none was sent. */
            description: string | null;
            /** @description As you sent it; null if you sent none, or one that is not an https URL, which is dropped. */
            redirect_url: string | null;
            /** @description The transfers that were matched to it, each as in its `collection.success`. Credit these references, not the session. */
            collections: {
                /** @description The `data.reference` of its `collection.success`: credit it once. */
                reference: string;
                /** @description What was received, in naira: what the payer sent, before our fee. Credit your customer with it; you bear the fee. */
                amount: number;
                /** @description Our fee on it, in naira, which you bear; in test mode, too. */
                fee: number;
                /** @description `amount` less `fee`, in naira: what was added to Collected. */
                net: number;
                /**
                 * Format: date-time
                 * @description When it was paid, by the bank's clock.
                 * @example 2026-11-21T09:30:00.123+00:00
                 */
                paid_at: string;
                /** @description How much of it the bank took back, in naira; absent if it took nothing. */
                amount_reversed?: number;
            }[];
            /** @description Whether the checkout still asks the payer for a name and an email address before it shows the account: when neither a customer nor a name was sent. */
            details_required: boolean;
            /**
             * @description How the session was created: by your server, by a web page, or by a payer who followed a link.
             * @enum {string}
             */
            opened_by: "secret_key" | "public_key" | "payment_link";
            /** @description The last part of the payment link's URL; null if the session was not created by a link. */
            payment_link: string | null;
            /**
             * Format: date-time
             * @description When the session expires, half an hour after its creation by default, or after the payer's details were given to a session of a public key; and up to half an hour later once the payer says that the transfer was sent. The exact amount still pays it, `paid_late`, for 24 hours in a customer's own account and for 2 hours in another one, or half an hour if a public key or a link created it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When the session was created.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /** @description When the transfer that completed the payment was received; null until then. */
            paid_at: string | null;
            /**
             * @description Your own values with it, as you sent them; `{}` if you sent none.
             * @example {
             *       "branch": "yaba"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description A payment session: an exact amount that a payer is asked to transfer to an account.
         * @example {
         *       "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *       "merchant_reference": "order-1001",
         *       "status": "paid",
         *       "amount": 2500.73,
         *       "amount_requested": 2500,
         *       "amount_received": 2500.73,
         *       "currency": "NGN",
         *       "account_number": "0000000419",
         *       "account_name": "Ada Stores / Ngozi Eze",
         *       "bank_name": "Test Bank",
         *       "checkout_url": "https://checkout.example.com/pay/pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *       "collects": [
         *         "bank_transfer"
         *       ],
         *       "customer_reference": "cust_42",
         *       "customer_name": "Ngozi Eze",
         *       "description": "Two bags of rice",
         *       "redirect_url": "https://shop.example.com/thanks?order=1001",
         *       "collections": [
         *         {
         *           "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *           "amount": 2500.73,
         *           "fee": 25.01,
         *           "net": 2475.72,
         *           "paid_at": "2026-11-21T09:34:12.480+00:00"
         *         }
         *       ],
         *       "details_required": false,
         *       "opened_by": "secret_key",
         *       "payment_link": null,
         *       "expires_at": "2026-11-21T10:00:00.123+00:00",
         *       "created_at": "2026-11-21T09:30:00.123+00:00",
         *       "paid_at": "2026-11-21T09:34:12.480+00:00",
         *       "metadata": {
         *         "branch": "yaba"
         *       },
         *       "mode": "test"
         *     }
         */
        Payment: {
            /**
             * @description Our id of the session. It is also the `data.reference` of the first `collection.success` that is matched to it.
             * @example pay_7Yk3pQ2mVd9sRw4tXb6nLc
             */
            reference: string;
            /** @description Your order id, sent as `reference`; null if you sent none. */
            merchant_reference: string | null;
            /**
             * @description What has happened so far. Every transfer that is matched sends `collection.success`, and one that your team attaches `collection.attached`; a change of the status alone sends nothing.
             *     - `pending`: waiting for the transfer.
             *     - `processing`: the payer says that it was sent, which extends the expiry once.
             *     - `paid`: exactly `amount` was received, in one transfer or several. A payer who sends it once more leaves it `paid`: `amount_received` is then more than `amount`.
             *     - `underpaid`: less was received: in a customer's own account, or because your team attached a transfer. In a customer's own account a further transfer can make it `paid` or `overpaid`.
             *     - `overpaid`: more was received: in a customer's own account, or because your team attached a transfer. It is all yours.
             *     - `expired`: nothing was received in time.
             *     - `paid_late`: exactly `amount` was received after the expiry, or attached by your team after it.
             * @enum {string}
             */
            status: "pending" | "processing" | "paid" | "underpaid" | "overpaid" | "expired" | "paid_late";
            /** @description What the payer must send, exactly: `amount_requested` plus 1 to 99 kobo, by which the transfer is recognized. In a session of a public key it is `amount_requested` until the payer's details are given. */
            amount: number;
            /** @description What was requested, in naira. */
            amount_requested: number;
            /** @description The sum of all transfers that were matched to the session, in naira, before the fee. */
            amount_received: number;
            /** @description How much of `amount_received` banks took back, in naira; absent if they took nothing. The status stays as it was. */
            amount_reversed?: number;
            /**
             * @description Always naira.
             * @constant
             */
            currency: "NGN";
            /** @description The account to pay into: the customer's own if there is a `customer_reference`, otherwise a collection account of yours, which others pay into, too. Null in a session of a public key until its payer's details are given. */
            account_number: string | null;
            /** @description What the payer's bank shows for the account number, for the payer to compare. Null without an account. */
            account_name: string | null;
            /** @description The bank that holds the account. Null without an account. */
            bank_name: string | null;
            /**
             * Format: uri
             * @description The page on the checkout host to send the payer to.
             */
            checkout_url: string;
            /** @description How it can be paid: only by bank transfer for now. Further ways may be added. */
            collects: "bank_transfer"[];
            /** @description Your own key for the customer; null if you sent none. */
            customer_reference: string | null;
            /** @description The customer's name, or else the name that the payer gave at the checkout; null without either. */
            customer_name: string | null;
            /** @description What the payment is for; null if none was sent. */
            description: string | null;
            /** @description As you sent it; null if you sent none, or one that is not an https URL, which is dropped. */
            redirect_url: string | null;
            /** @description The transfers that were matched to it, each as in its `collection.success`. Credit these references, not the session. */
            collections: {
                /** @description The `data.reference` of its `collection.success`: credit it once. */
                reference: string;
                /** @description What was received, in naira: what the payer sent, before our fee. Credit your customer with it; you bear the fee. */
                amount: number;
                /** @description Our fee on it, in naira, which you bear; in test mode, too. */
                fee: number;
                /** @description `amount` less `fee`, in naira: what was added to Collected. */
                net: number;
                /**
                 * Format: date-time
                 * @description When it was paid, by the bank's clock.
                 * @example 2026-11-21T09:30:00.123+00:00
                 */
                paid_at: string;
                /** @description How much of it the bank took back, in naira; absent if it took nothing. */
                amount_reversed?: number;
            }[];
            /** @description Whether the checkout still asks the payer for a name and an email address before it shows the account: when neither a customer nor a name was sent. */
            details_required: boolean;
            /**
             * @description How the session was created: by your server, by a web page, or by a payer who followed a link.
             * @enum {string}
             */
            opened_by: "secret_key" | "public_key" | "payment_link";
            /** @description The last part of the payment link's URL; null if the session was not created by a link. */
            payment_link: string | null;
            /**
             * Format: date-time
             * @description When the session expires, half an hour after its creation by default, or after the payer's details were given to a session of a public key; and up to half an hour later once the payer says that the transfer was sent. The exact amount still pays it, `paid_late`, for 24 hours in a customer's own account and for 2 hours in another one, or half an hour if a public key or a link created it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When the session was created.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /** @description When the transfer that completed the payment was received; null until then. */
            paid_at: string | null;
            /**
             * @description Your own values with it, as you sent them; `{}` if you sent none.
             * @example {
             *       "branch": "yaba"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description The banks that transfers can be sent to.
         * @example {
         *       "data": [
         *         {
         *           "code": "000",
         *           "name": "Test Bank",
         *           "type": "test_bank"
         *         },
         *         {
         *           "code": "058",
         *           "name": "Guaranty Trust Bank",
         *           "type": "deposit_money_bank"
         *         }
         *       ],
         *       "mode": "test"
         *     }
         */
        BankList: {
            /** @description All of them, by name; in test mode the test bank first. There, the ninth digit of an account number decides what becomes of a transfer to any of them. */
            data: components["schemas"]["Bank"][];
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description A bank that transfers can be sent to.
         * @example {
         *       "code": "000",
         *       "name": "Test Bank",
         *       "type": "test_bank"
         *     }
         */
        Bank: {
            /** @description The `bank_code` of a transfer: three or six digits, as a string. */
            code: string;
            /** @description The bank's name. */
            name: string;
            /**
             * @description Its license. `test_bank` is a bank that exists in test mode only.
             * @enum {string}
             */
            type: "deposit_money_bank" | "non_interest_bank" | "merchant_bank" | "payment_service_bank" | "microfinance_bank" | "mobile_money_operator" | "test_bank";
        };
        /**
         * @description A bank account and the name of its holder.
         * @example {
         *       "bank_code": "000",
         *       "account_number": "0000000110",
         *       "bank_name": "Test Bank",
         *       "account_name": "Adaeze Bello",
         *       "mode": "test"
         *     }
         */
        ResolvedAccount: {
            /** @description The bank's code, as `GET /banks` lists it. A string: it can begin with 0. */
            bank_code: string;
            /** @description The bank's name. */
            bank_name: string;
            /** @description A bank account number (NUBAN): ten digits. A string: it can begin with 0. */
            account_number: string;
            /** @description The holder's name, as the bank has it. Compare it before you send money. */
            account_name: string;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description Money that you send from Settled to a bank account.
         * @example {
         *       "reference": "trf_4Hq8wZ1cTn5kYx7pRj2mVb",
         *       "merchant_reference": "payout-7",
         *       "status": "success",
         *       "amount": 1000,
         *       "fee": 0,
         *       "currency": "NGN",
         *       "bank_code": "000",
         *       "account_number": "0000000110",
         *       "bank_name": "Test Bank",
         *       "account_name": "Adaeze Bello",
         *       "narration": "Invoice 7",
         *       "failure_code": null,
         *       "failure_reason": null,
         *       "metadata": {
         *         "branch": "yaba"
         *       },
         *       "mode": "test",
         *       "created_at": "2026-11-22T08:15:30.250+00:00",
         *       "completed_at": "2026-11-22T08:15:31.940+00:00"
         *     }
         */
        Transfer: {
            /**
             * @description Our id of the transfer. A success and its reversal share it.
             * @example trf_4Hq8wZ1cTn5kYx7pRj2mVb
             */
            reference: string;
            /** @description Your own id of it, sent as `reference`. */
            merchant_reference: string;
            /**
             * @description How far it is; each of the last three sends the event of its name.
             *     - `pending`: the money is reserved. It may have been sent: do not order it again under another reference.
             *     - `success`: the beneficiary's bank accepted it.
             *     - `failed`: nothing was paid, and the money is back in Settled.
             *     - `reversed`: the bank returned it after a success, and the money is back in Settled.
             * @enum {string}
             */
            status: "pending" | "success" | "failed" | "reversed";
            /** @description What the beneficiary receives, in naira. */
            amount: number;
            /** @description Our fee for the transfer, in naira; 0 by default. */
            fee: number;
            /**
             * @description Always naira.
             * @constant
             */
            currency: "NGN";
            /** @description The bank's code, as `GET /banks` lists it. A string: it can begin with 0. */
            bank_code: string;
            /** @description The bank's name. */
            bank_name: string;
            /** @description The beneficiary's. */
            account_number: string;
            /** @description The holder's name, as the bank has it. In live mode it is reduced to initials (`N*** E***`) when 30 or more accounts were looked up, or ordered to for the first time, within 60 minutes, and this one was neither looked up within the hour nor sent ₦100 or more before; it is shown once ₦100 or more was sent. */
            account_name: string;
            /** @description As you sent it; null if you sent none. */
            narration: string | null;
            /** @description Why it failed or was reversed, for programs: a code of the bank, or of our adapter for it (such as `invalid_account`, `below_minimum`, `partner_balance` or `not_sent`), or `not_received`, `not_executed`, `approval_declined` or `approval_expired`. Null in other states, and if the bank gave none. */
            failure_code: string | null;
            /** @description The same for people. */
            failure_reason: string | null;
            /**
             * @description Your own values with it, as you sent them; `{}` if you sent none.
             * @example {
             *       "branch": "yaba"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description When you ordered it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /** @description When it ended, or, in `reversed`, when it was reversed; null while it is `pending`. */
            completed_at: string | null;
        };
        /**
         * @description A page of transfers.
         * @example {
         *       "data": [
         *         {
         *           "reference": "trf_4Hq8wZ1cTn5kYx7pRj2mVb",
         *           "merchant_reference": "payout-7",
         *           "status": "success",
         *           "amount": 1000,
         *           "fee": 0,
         *           "currency": "NGN",
         *           "bank_code": "000",
         *           "account_number": "0000000110",
         *           "bank_name": "Test Bank",
         *           "account_name": "Adaeze Bello",
         *           "narration": "Invoice 7",
         *           "failure_code": null,
         *           "failure_reason": null,
         *           "metadata": {
         *             "branch": "yaba"
         *           },
         *           "mode": "test",
         *           "created_at": "2026-11-22T08:15:30.250+00:00",
         *           "completed_at": "2026-11-22T08:15:31.940+00:00"
         *         }
         *       ],
         *       "limit": 20,
         *       "has_more": false,
         *       "next": null,
         *       "mode": "test",
         *       "offset": 0
         *     }
         */
        TransferList: {
            /** @description The page: newest first, where no parameter says otherwise. */
            data: components["schemas"]["Transfer"][];
            /** @description The most rows that the page can have: yours, or 100 if that is less. */
            limit: number;
            /** @description Whether there are rows after this page. */
            has_more: boolean;
            /** @description The `after` of the next page; null on the last one. */
            next: string | null;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /** @description How many of the newest rows were skipped; 0 with `after`. */
            offset: number;
        };
        /**
         * @description A page of payment sessions.
         * @example {
         *       "data": [
         *         {
         *           "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *           "merchant_reference": "order-1001",
         *           "status": "paid",
         *           "amount": 2500.73,
         *           "amount_requested": 2500,
         *           "amount_received": 2500.73,
         *           "currency": "NGN",
         *           "account_number": "0000000419",
         *           "account_name": "Ada Stores / Ngozi Eze",
         *           "bank_name": "Test Bank",
         *           "checkout_url": "https://checkout.example.com/pay/pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *           "collects": [
         *             "bank_transfer"
         *           ],
         *           "customer_reference": "cust_42",
         *           "customer_name": "Ngozi Eze",
         *           "description": "Two bags of rice",
         *           "redirect_url": "https://shop.example.com/thanks?order=1001",
         *           "collections": [
         *             {
         *               "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *               "amount": 2500.73,
         *               "fee": 25.01,
         *               "net": 2475.72,
         *               "paid_at": "2026-11-21T09:34:12.480+00:00"
         *             }
         *           ],
         *           "details_required": false,
         *           "opened_by": "secret_key",
         *           "payment_link": null,
         *           "expires_at": "2026-11-21T10:00:00.123+00:00",
         *           "created_at": "2026-11-21T09:30:00.123+00:00",
         *           "paid_at": "2026-11-21T09:34:12.480+00:00",
         *           "metadata": {
         *             "branch": "yaba"
         *           },
         *           "mode": "test"
         *         }
         *       ],
         *       "limit": 20,
         *       "has_more": false,
         *       "next": null,
         *       "mode": "test"
         *     }
         */
        PaymentList: {
            /** @description The page: newest first, where no parameter says otherwise. */
            data: components["schemas"]["Payment"][];
            /** @description The most rows that the page can have: yours, or 100 if that is less. */
            limit: number;
            /** @description Whether there are rows after this page. */
            has_more: boolean;
            /** @description The `after` of the next page; null on the last one. */
            next: string | null;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description A page of collections.
         * @example {
         *       "data": [
         *         {
         *           "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *           "amount": 2500.73,
         *           "fee": 25.01,
         *           "net": 2475.72,
         *           "paid_at": "2026-11-21T09:34:12.480+00:00",
         *           "currency": "NGN",
         *           "rail": "bank",
         *           "customer_reference": "cust_42",
         *           "customer_name": "Ngozi Eze",
         *           "account_number": "0000000419",
         *           "payer_name": "NGOZI EZE",
         *           "payment_reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *           "merchant_reference": "order-1001",
         *           "payer": {
         *             "name": "NGOZI EZE",
         *             "account_number": "0123456789",
         *             "bank_name": "First Bank"
         *           },
         *           "metadata": {
         *             "branch": "yaba"
         *           },
         *           "settlement_id": null,
         *           "event": {
         *             "id": "evt_SohEH6k6ydW37bCdDh6wZB",
         *             "sequence": 42
         *           },
         *           "bank_session_id": "090267261121093000123456789012",
         *           "created_at": "2026-11-21T09:34:12.480+00:00",
         *           "attached_at": null,
         *           "mode": "test"
         *         }
         *       ],
         *       "limit": 20,
         *       "has_more": false,
         *       "next": null,
         *       "mode": "test"
         *     }
         */
        CollectionList: {
            /** @description The page: newest first, where no parameter says otherwise. */
            data: components["schemas"]["Collection"][];
            /** @description The most rows that the page can have: yours, or 100 if that is less. */
            limit: number;
            /** @description Whether there are rows after this page. */
            has_more: boolean;
            /** @description The `after` of the next page; null on the last one. */
            next: string | null;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description Money that was received: the data of its `collection.success`, and what is known of it by now.
         * @example {
         *       "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *       "amount": 2500.73,
         *       "fee": 25.01,
         *       "net": 2475.72,
         *       "paid_at": "2026-11-21T09:34:12.480+00:00",
         *       "currency": "NGN",
         *       "rail": "bank",
         *       "customer_reference": "cust_42",
         *       "customer_name": "Ngozi Eze",
         *       "account_number": "0000000419",
         *       "payer_name": "NGOZI EZE",
         *       "payment_reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *       "merchant_reference": "order-1001",
         *       "payer": {
         *         "name": "NGOZI EZE",
         *         "account_number": "0123456789",
         *         "bank_name": "First Bank"
         *       },
         *       "metadata": {
         *         "branch": "yaba"
         *       },
         *       "settlement_id": null,
         *       "event": {
         *         "id": "evt_SohEH6k6ydW37bCdDh6wZB",
         *         "sequence": 42
         *       },
         *       "bank_session_id": "090267261121093000123456789012",
         *       "created_at": "2026-11-21T09:34:12.480+00:00",
         *       "attached_at": null,
         *       "mode": "test"
         *     }
         */
        Collection: {
            /** @description Credit it once. The first transfer that is matched to a session has the session's `reference`, `pay_…`; every other has one of its own, `col_…`. */
            reference: string;
            /** @description What was received, in naira: what the payer sent, before our fee. Credit your customer with it; you bear the fee. */
            amount: number;
            /** @description Our fee on it, in naira, which you bear; in test mode, too. */
            fee: number;
            /** @description `amount` less `fee`, in naira: what was added to Collected. */
            net: number;
            /**
             * @description Always naira.
             * @constant
             */
            currency: "NGN";
            /**
             * @description How the money was sent: by bank transfer. Further ways may be added.
             * @constant
             */
            rail: "bank";
            /** @description Your own key for the customer: the one in whose account the money was received, or to whom your team attached it. Null without one. */
            customer_reference: string | null;
            /** @description The customer's name, or else the name that the payer gave at the checkout; null without either. `Erased` once the person was erased. */
            customer_name: string | null;
            /** @description The account that received the money. */
            account_number: string;
            /** @description The sender, as the bank reported it; empty if it reported none. Do not match on it. */
            payer_name: string;
            /**
             * Format: date-time
             * @description When it was paid, by the bank's clock.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            paid_at: string;
            /** @description The payment session that the transfer paid, or to which your team attached it. Null if there is none, for example because it was sent before one was created. */
            payment_reference: string | null;
            /** @description Your order id of that session; null without a session, or if you sent none. */
            merchant_reference: string | null;
            /** @description The sender, as far as the bank reported it. */
            payer: {
                /** @description The same as `payer_name`. */
                name: string;
                /** @description Null if the bank did not report it. */
                account_number: string | null;
                /** @description Null if the bank did not report it. */
                bank_name: string | null;
            };
            /**
             * @description The metadata of the payment session that it paid, also if that is `{}`; without a session, that of the customer's account. Of money that was attached, that of the session or customer it was attached to.
             * @example {
             *       "branch": "yaba"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description The settlement that settled it; null until then. */
            settlement_id: string | null;
            /** @description Its `collection.success` in the event log; null for the moment until it is recorded. */
            event: {
                /** @description Its `webhook-id`, which `GET /events/{id}` takes. */
                id: string;
                /** @description Its number in the log, the `X-Service-Sequence`. */
                sequence: number;
            } | null;
            /** @description The NIP session id, by which the payer's bank and ours trace the transfer: quote it when a payer asks where the money is. Null if the bank did not report it. */
            bank_session_id?: string | null;
            /**
             * Format: date-time
             * @description When it was recorded, with the customer or session that it matched, if there is one.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /** @description When your team attached it to its session or customer, which `collection.attached` reports; null if it was matched by itself, or to nothing. */
            attached_at: string | null;
            /** @description How much of it the bank took back, in naira; absent if it took nothing. */
            amount_reversed?: number;
            /** @description What the bank took back, in the order in which it did; absent if it took nothing. */
            reversals?: {
                /** @description The `data.reference` of its `collection.reversed`, `rev_…`. */
                reference: string;
                /** @description What the bank took back, in naira. */
                amount: number;
                /** @description Our fee on it, which you got back. */
                fee: number;
                /** @description `amount` less `fee`: what was taken from your balances. */
                net: number;
                /**
                 * Format: date-time
                 * @description When the bank took it back, by its clock.
                 * @example 2026-11-21T09:30:00.123+00:00
                 */
                reversed_at: string;
            }[];
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description A page of settlements.
         * @example {
         *       "data": [
         *         {
         *           "id": "stl_9b2d83650a1c7e424f7a0c1e",
         *           "amount": 2475.72,
         *           "currency": "NGN",
         *           "cut_off": "2026-11-22T05:00:00.000+00:00",
         *           "created_at": "2026-11-22T05:00:01.204+00:00",
         *           "mode": "test"
         *         }
         *       ],
         *       "limit": 20,
         *       "has_more": false,
         *       "next": null,
         *       "mode": "test"
         *     }
         */
        SettlementList: {
            /** @description The page: newest first, where no parameter says otherwise. */
            data: components["schemas"]["Settlement"][];
            /** @description The most rows that the page can have: yours, or 100 if that is less. */
            limit: number;
            /** @description Whether there are rows after this page. */
            has_more: boolean;
            /** @description The `after` of the next page; null on the last one. */
            next: string | null;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description Money that moved from Collected to Settled.
         * @example {
         *       "id": "stl_9b2d83650a1c7e424f7a0c1e",
         *       "amount": 2475.72,
         *       "currency": "NGN",
         *       "cut_off": "2026-11-22T05:00:00.000+00:00",
         *       "created_at": "2026-11-22T05:00:01.204+00:00",
         *       "mode": "test"
         *     }
         */
        Settlement: {
            /**
             * @description The `settlement_id` of its collections.
             * @example stl_9b2d83650a1c7e424f7a0c1e
             */
            id: string;
            /** @description What was settled, net of the fee, in naira: the sum of its lines. */
            amount: number;
            /**
             * @description Always naira.
             * @constant
             */
            currency: "NGN";
            /**
             * Format: date-time
             * @description It settles what was recorded before this time and not settled yet.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            cut_off: string;
            /**
             * Format: date-time
             * @description When it was booked.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description A settlement, and a page of what it settled.
         * @example {
         *       "id": "stl_9b2d83650a1c7e424f7a0c1e",
         *       "amount": 2475.72,
         *       "currency": "NGN",
         *       "cut_off": "2026-11-22T05:00:00.000+00:00",
         *       "created_at": "2026-11-22T05:00:01.204+00:00",
         *       "mode": "test",
         *       "totals": {
         *         "amount": 2500.73,
         *         "fee": 25.01,
         *         "net": 2475.72
         *       },
         *       "lines": {
         *         "data": [
         *           {
         *             "kind": "collection",
         *             "collection_reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *             "amount": 2500.73,
         *             "fee": 25.01,
         *             "net": 2475.72,
         *             "recorded_at": "2026-11-21T09:34:12.480+00:00"
         *           }
         *         ],
         *         "limit": 20,
         *         "has_more": false,
         *         "next": null
         *       }
         *     }
         */
        SettlementWithLines: {
            /**
             * @description The `settlement_id` of its collections.
             * @example stl_9b2d83650a1c7e424f7a0c1e
             */
            id: string;
            /** @description What was settled, net of the fee, in naira: the sum of its lines. */
            amount: number;
            /**
             * @description Always naira.
             * @constant
             */
            currency: "NGN";
            /**
             * Format: date-time
             * @description It settles what was recorded before this time and not settled yet.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            cut_off: string;
            /**
             * Format: date-time
             * @description When it was booked.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /** @description The sums of all its lines, on every page. */
            totals?: {
                /** @description What was received, less what the bank took back, in naira. */
                amount: number;
                /** @description Our fees on it, less what was given back of them, in naira. */
                fee: number;
                /** @description What was moved back from Settled because Collected was below zero, in naira. Absent without any. */
                covered?: number;
                /** @description What was settled, in naira: `amount` less `fee`, and `covered`. It is the settlement's `amount`. */
                net: number;
            };
            /** @description A page of what was settled, in the order in which it was recorded. */
            lines: {
                /** @description In the order in which they were recorded, oldest first. */
                data: {
                    /** @description `collection`, or `allocation` for a collection that an operator assigned to you later; `collection_reversal` and `allocation_reversal` for what the bank took back of one; `cover` for what was moved back from Settled because Collected was below zero. */
                    kind: string;
                    /** @description The collection; null if it is not recorded as one yet, and for other lines. */
                    collection_reference: string | null;
                    /** @description What was received, in naira; negative if the bank took it back. */
                    amount: number;
                    /** @description Our fee on it, in naira; negative if it was given back. */
                    fee: number;
                    /** @description What was settled of it, in naira. */
                    net: number;
                    /**
                     * Format: date-time
                     * @description When it was added to Collected.
                     * @example 2026-11-21T09:30:00.123+00:00
                     */
                    recorded_at: string;
                }[];
                /** @description The most rows that the page can have: yours, or 100 if that is less. */
                limit: number;
                /** @description Whether there are rows after this page. */
                has_more: boolean;
                /** @description The `after` of the next page; null on the last one. */
                next: string | null;
            };
        };
        /**
         * @description A page of the event log.
         * @example {
         *       "data": [
         *         {
         *           "id": "evt_SohEH6k6ydW37bCdDh6wZB",
         *           "sequence": 42,
         *           "event": "collection.success",
         *           "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *           "created_at": "2026-11-21T09:34:12.480+00:00",
         *           "body": "{\"event\":\"collection.success\",\"mode\":\"test\",\"created_at\":\"2026-11-21T09:34:12.480+00:00\",\"data\":{\"reference\":\"pay_7Yk3pQ2mVd9sRw4tXb6nLc\",\"amount\":2500.73,\"fee\":25.01,\"net\":2475.72,\"paid_at\":\"2026-11-21T09:34:12.480+00:00\",\"currency\":\"NGN\",\"rail\":\"bank\",\"customer_reference\":\"cust_42\",\"customer_name\":\"Ngozi Eze\",\"account_number\":\"0000000419\",\"payer_name\":\"NGOZI EZE\",\"payment_reference\":\"pay_7Yk3pQ2mVd9sRw4tXb6nLc\",\"merchant_reference\":\"order-1001\",\"payer\":{\"name\":\"NGOZI EZE\",\"account_number\":\"0123456789\",\"bank_name\":\"First Bank\"},\"metadata\":{\"branch\":\"yaba\"}}}",
         *           "delivery": {
         *             "status": "delivered",
         *             "attempts": 1,
         *             "last_status": 200,
         *             "next_attempt_at": null
         *           },
         *           "mode": "test"
         *         }
         *       ],
         *       "limit": 20,
         *       "has_more": false,
         *       "next": 42,
         *       "mode": "test"
         *     }
         */
        EventList: {
            /** @description In order, oldest first. */
            data: components["schemas"]["Event"][];
            /** @description The most rows that the page can have: yours, or 100 if that is less. */
            limit: number;
            /** @description Whether there are rows after this page. */
            has_more: boolean;
            /** @description The `after_sequence` of the next call, also when there are no more events for now. */
            next: number;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description An event of the log, as it is sent to your server.
         * @example {
         *       "id": "evt_SohEH6k6ydW37bCdDh6wZB",
         *       "sequence": 42,
         *       "event": "collection.success",
         *       "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *       "created_at": "2026-11-21T09:34:12.480+00:00",
         *       "body": "{\"event\":\"collection.success\",\"mode\":\"test\",\"created_at\":\"2026-11-21T09:34:12.480+00:00\",\"data\":{\"reference\":\"pay_7Yk3pQ2mVd9sRw4tXb6nLc\",\"amount\":2500.73,\"fee\":25.01,\"net\":2475.72,\"paid_at\":\"2026-11-21T09:34:12.480+00:00\",\"currency\":\"NGN\",\"rail\":\"bank\",\"customer_reference\":\"cust_42\",\"customer_name\":\"Ngozi Eze\",\"account_number\":\"0000000419\",\"payer_name\":\"NGOZI EZE\",\"payment_reference\":\"pay_7Yk3pQ2mVd9sRw4tXb6nLc\",\"merchant_reference\":\"order-1001\",\"payer\":{\"name\":\"NGOZI EZE\",\"account_number\":\"0123456789\",\"bank_name\":\"First Bank\"},\"metadata\":{\"branch\":\"yaba\"}}}",
         *       "delivery": {
         *         "status": "delivered",
         *         "attempts": 1,
         *         "last_status": 200,
         *         "next_attempt_at": null
         *       },
         *       "mode": "test"
         *     }
         */
        Event: {
            /**
             * @description The `webhook-id` of every attempt to deliver it.
             * @example evt_SohEH6k6ydW37bCdDh6wZB
             */
            id: string;
            /** @description Its number in the log, the `X-Service-Sequence` of every attempt. */
            sequence: number;
            /**
             * @description The kind of event, `X-Service-Event`.
             * @enum {string}
             */
            event: "collection.success" | "collection.attached" | "collection.reversed" | "transfer.success" | "transfer.failed" | "transfer.reversed" | "webhook.test";
            /** @description The `data.reference` of the body. */
            reference: string;
            /**
             * Format: date-time
             * @description When it was recorded, the `created_at` of the body.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /** @description The JSON that is sent and signed, to the byte. */
            body: string;
            /** @description Null if there was no webhook URL when it was recorded, and it has not been replayed since. */
            delivery: {
                /**
                 * @description `pending` until your server acknowledges it; `exhausted` once the retries have ended; `superseded` if the URL changed before.
                 * @enum {string}
                 */
                status: "pending" | "delivered" | "exhausted" | "superseded";
                /** @description How many attempts were made so far. */
                attempts: number;
                /** @description The HTTP status of the last attempt; null without a response. */
                last_status: number | null;
                /** @description When it is sent next; null if it is being sent, is not sent again, or waits for others because your server fails or is paused. */
                next_attempt_at: string | null;
            } | null;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description A part of the event log that is being sent again.
         * @example {
         *       "after_sequence": 41,
         *       "up_to_sequence": 42,
         *       "events": 1,
         *       "mode": "test"
         *     }
         */
        EventReplay: {
            /** @description As you sent it. */
            after_sequence: number;
            /** @description As you sent it. */
            up_to_sequence: number;
            /** @description How many events are sent. */
            events: number;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description What was simulated. It is in the ledger by then, and its event is recorded.
         * @example {
         *       "outcome": "paid",
         *       "credited": true,
         *       "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *       "amount": 2500.73,
         *       "account_number": "0000000419",
         *       "message": "₦2,500.73 was credited. A collection.success webhook was queued.",
         *       "mode": "test"
         *     }
         */
        SimulationResult: {
            /**
             * @description As you sent it.
             * @enum {string}
             */
            outcome: "paid" | "underpaid" | "overpaid" | "expired";
            /** @description Whether anything was credited: unless the outcome was `expired`. */
            credited: boolean;
            /** @description The `data.reference` of the `collection.success`. With `expired`, the session's, or one that is never used if there was no session. */
            reference: string;
            /** @description What was sent, in naira; with `expired`, what was owed. */
            amount: number;
            /** @description The account that received it, or would have. */
            account_number: string;
            /** @description A summary for people; says whether a webhook was queued. */
            message: string;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description What came of a scenario, the same for every repeat of the call.
         * @example {
         *       "name": "reported_twice",
         *       "seed": 7,
         *       "account_number": "0000000419",
         *       "reports": [
         *         {
         *           "result": "credited",
         *           "amount": 2500.73,
         *           "paid_at": "2026-11-21T09:34:12.480+00:00",
         *           "payer_name": "Tunde Bello",
         *           "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc"
         *         },
         *         {
         *           "result": "duplicate",
         *           "amount": 2500.73,
         *           "paid_at": "2026-11-21T09:34:12.480+00:00",
         *           "payer_name": "Tunde Bello",
         *           "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc"
         *         }
         *       ],
         *       "mode": "test"
         *     }
         */
        ScenarioResult: {
            /**
             * @description As you sent it.
             * @enum {string}
             */
            name: "reported_twice" | "reported_late" | "reported_out_of_order" | "reported_with_another_amount" | "reported_then_reversed" | "receiver_fails" | "receiver_times_out" | "receiver_redirects" | "receiver_resets_connection" | "response_lost";
            /** @description As you sent it. */
            seed: number;
            /** @description As you sent it. */
            account_number: string;
            /** @description What the bank reported, in the order in which it did. */
            reports: {
                /**
                 * @description What came of it.
                 *     - `credited`: it is in the ledger, and its event is recorded.
                 *     - `duplicate`: the transfer was credited already.
                 *     - `quarantined`: it contradicts what was credited, and was not credited.
                 *     - `reversed`: what was credited is undone, and the event of that is recorded.
                 * @enum {string}
                 */
                result: "credited" | "duplicate" | "quarantined" | "reversed";
                /** @description The amount that the bank reported, in naira. */
                amount: number;
                /**
                 * Format: date-time
                 * @description When the payer's bank sent the transfer.
                 * @example 2026-11-21T09:30:00.123+00:00
                 */
                paid_at: string;
                /** @description The payer. */
                payer_name: string;
                /** @description The `data.reference` of the `collection.success` or `collection.reversed`; null if it was quarantined. */
                reference: string | null;
            }[];
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description What a call settled.
         * @example {
         *       "settlement": {
         *         "id": "stl_9b2d83650a1c7e424f7a0c1e",
         *         "amount": 2475.72,
         *         "currency": "NGN",
         *         "cut_off": "2026-11-22T05:00:00.000+00:00",
         *         "created_at": "2026-11-22T05:00:01.204+00:00",
         *         "mode": "test"
         *       },
         *       "mode": "test"
         *     }
         */
        SandboxSettlement: {
            /** @description Null if nothing was collected since the last one. */
            settlement: components["schemas"]["Settlement"] | null;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description The time in your test mode.
         * @example {
         *       "now": "2026-11-21T09:30:00.123+00:00",
         *       "ahead_by": 0,
         *       "mode": "test"
         *     }
         */
        TestClock: {
            /**
             * Format: date-time
             * @description The time in your test mode.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            now: string;
            /** @description How many seconds that is ahead of real time. At 0 the clock runs with real time; otherwise it stands still. */
            ahead_by: number;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description The time in your test mode. Everything that was due by then is done, unless `has_more` is true.
         * @example {
         *       "now": "2026-11-21T09:30:00.123+00:00",
         *       "ahead_by": 86400,
         *       "has_more": false,
         *       "mode": "test"
         *     }
         */
        AdvancedTestClock: {
            /**
             * Format: date-time
             * @description The time in your test mode.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            now: string;
            /** @description How many seconds that is ahead of real time. At 0 the clock runs with real time; otherwise it stands still. */
            ahead_by: number;
            /** @description Whether the call ended early, because much was due. Send it again with `advance_to`, until this is false. */
            has_more: boolean;
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /**
         * @description What anyone who knows the reference of a session sees of it. Of the customer that is only `account_name`, which a payer sees at the bank, too: in a customer's own account it has the name.
         * @example {
         *       "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *       "status": "pending",
         *       "mode": "test",
         *       "merchant_name": "Ada Stores",
         *       "description": "Two bags of rice",
         *       "amount": 2500.73,
         *       "amount_requested": 2500,
         *       "amount_received": 0,
         *       "currency": "NGN",
         *       "account_number": "0000000419",
         *       "account_name": "Ada Stores / Ngozi Eze",
         *       "bank_name": "Test Bank",
         *       "details_required": false,
         *       "expires_at": "2026-11-21T10:00:00.123+00:00",
         *       "server_time": "2026-11-21T09:30:00.123+00:00",
         *       "return_url": null,
         *       "poll_after_ms": 3000
         *     }
         */
        CheckoutSession: {
            /** @description Our id of the session; knowing it is enough to read this. */
            reference: string;
            /**
             * @description What has happened so far. Every transfer that is matched sends `collection.success`, and one that your team attaches `collection.attached`; a change of the status alone sends nothing.
             *     - `pending`: waiting for the transfer.
             *     - `processing`: the payer says that it was sent, which extends the expiry once.
             *     - `paid`: exactly `amount` was received, in one transfer or several. A payer who sends it once more leaves it `paid`: `amount_received` is then more than `amount`.
             *     - `underpaid`: less was received: in a customer's own account, or because your team attached a transfer. In a customer's own account a further transfer can make it `paid` or `overpaid`.
             *     - `overpaid`: more was received: in a customer's own account, or because your team attached a transfer. It is all yours.
             *     - `expired`: nothing was received in time.
             *     - `paid_late`: exactly `amount` was received after the expiry, or attached by your team after it.
             * @enum {string}
             */
            status: "pending" | "processing" | "paid" | "underpaid" | "overpaid" | "expired" | "paid_late";
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /** @description The business that is paid. */
            merchant_name: string;
            /** @description What the payment is for; null if none was sent. */
            description: string | null;
            /** @description What the payer must send, exactly: `amount_requested` plus 1 to 99 kobo, by which the transfer is recognized. In a session of a public key it is `amount_requested` until the payer's details are given. */
            amount: number;
            /** @description What was requested, in naira. */
            amount_requested: number;
            /** @description The sum of all transfers that were matched to the session, in naira, before the fee. */
            amount_received: number;
            /** @description How much of `amount_received` the bank took back; absent if it took nothing. The payer sends no more. */
            amount_reversed?: number;
            /**
             * @description Always naira.
             * @constant
             */
            currency: "NGN";
            /** @description The account to pay into; null while `details_required` is true. */
            account_number: string | null;
            /** @description What the payer's bank shows for the account number, for the payer to compare. Null without an account. */
            account_name: string | null;
            /** @description The bank that holds the account. Null without an account. */
            bank_name: string | null;
            /** @description Whether the checkout still asks the payer for a name and an email address before it shows the account: when neither a customer nor a name was sent. */
            details_required: boolean;
            /**
             * Format: date-time
             * @description When the session expires, half an hour after its creation by default, or after the payer's details were given to a session of a public key; and up to half an hour later once the payer says that the transfer was sent. The exact amount still pays it, `paid_late`, for 24 hours in a customer's own account and for 2 hours in another one, or half an hour if a public key or a link created it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description The server's clock, for a countdown to `expires_at` that does not depend on the device's.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            server_time: string;
            /** @description In `paid`, `overpaid` and `paid_late`, the `redirect_url` with `reference=…` added, unless it had one; null before, and without a `redirect_url`. It is no proof of payment. */
            return_url: string | null;
            /** @description How long to wait before the next read, in milliseconds: longer once little or nothing can change. */
            poll_after_ms: number;
        };
        /**
         * @description A session that a public key created; the same as payers see, and what its page needs.
         * @example {
         *       "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *       "status": "pending",
         *       "mode": "test",
         *       "merchant_name": "Ada Stores",
         *       "description": "Two bags of rice",
         *       "amount": 2500,
         *       "amount_requested": 2500,
         *       "amount_received": 0,
         *       "currency": "NGN",
         *       "account_number": null,
         *       "account_name": null,
         *       "bank_name": null,
         *       "details_required": true,
         *       "expires_at": "2026-11-21T10:00:00.123+00:00",
         *       "server_time": "2026-11-21T09:30:00.123+00:00",
         *       "return_url": null,
         *       "poll_after_ms": 3000,
         *       "checkout_url": "https://checkout.example.com/pay/pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *       "merchant_reference": "order-1001",
         *       "warnings": []
         *     }
         */
        OpenedCheckout: {
            /** @description Our id of the session; knowing it is enough to read this. */
            reference: string;
            /**
             * @description What has happened so far. Every transfer that is matched sends `collection.success`, and one that your team attaches `collection.attached`; a change of the status alone sends nothing.
             *     - `pending`: waiting for the transfer.
             *     - `processing`: the payer says that it was sent, which extends the expiry once.
             *     - `paid`: exactly `amount` was received, in one transfer or several. A payer who sends it once more leaves it `paid`: `amount_received` is then more than `amount`.
             *     - `underpaid`: less was received: in a customer's own account, or because your team attached a transfer. In a customer's own account a further transfer can make it `paid` or `overpaid`.
             *     - `overpaid`: more was received: in a customer's own account, or because your team attached a transfer. It is all yours.
             *     - `expired`: nothing was received in time.
             *     - `paid_late`: exactly `amount` was received after the expiry, or attached by your team after it.
             * @enum {string}
             */
            status: "pending" | "processing" | "paid" | "underpaid" | "overpaid" | "expired" | "paid_late";
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /** @description The business that is paid. */
            merchant_name: string;
            /** @description What the payment is for; null if none was sent. */
            description: string | null;
            /** @description What the payer must send, exactly: `amount_requested` plus 1 to 99 kobo, by which the transfer is recognized. In a session of a public key it is `amount_requested` until the payer's details are given. */
            amount: number;
            /** @description What was requested, in naira. */
            amount_requested: number;
            /** @description The sum of all transfers that were matched to the session, in naira, before the fee. */
            amount_received: number;
            /** @description How much of `amount_received` the bank took back; absent if it took nothing. The payer sends no more. */
            amount_reversed?: number;
            /**
             * @description Always naira.
             * @constant
             */
            currency: "NGN";
            /** @description The account to pay into; null while `details_required` is true. */
            account_number: string | null;
            /** @description What the payer's bank shows for the account number, for the payer to compare. Null without an account. */
            account_name: string | null;
            /** @description The bank that holds the account. Null without an account. */
            bank_name: string | null;
            /** @description Whether the checkout still asks the payer for a name and an email address before it shows the account: when neither a customer nor a name was sent. */
            details_required: boolean;
            /**
             * Format: date-time
             * @description When the session expires, half an hour after its creation by default, or after the payer's details were given to a session of a public key; and up to half an hour later once the payer says that the transfer was sent. The exact amount still pays it, `paid_late`, for 24 hours in a customer's own account and for 2 hours in another one, or half an hour if a public key or a link created it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description The server's clock, for a countdown to `expires_at` that does not depend on the device's.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            server_time: string;
            /** @description In `paid`, `overpaid` and `paid_late`, the `redirect_url` with `reference=…` added, unless it had one; null before, and without a `redirect_url`. It is no proof of payment. */
            return_url: string | null;
            /** @description How long to wait before the next read, in milliseconds: longer once little or nothing can change. */
            poll_after_ms: number;
            /**
             * Format: uri
             * @description The page on the checkout host to send the payer to.
             */
            checkout_url: string;
            /** @description Your order id, sent as `reference`; null if you sent none. */
            merchant_reference: string | null;
            /** @description What was left out of the session: fields that the merchant does not allow under its public key. */
            warnings: {
                /** @description The field that was left out. */
                param: string;
                /** @description Why: `not_https`, `return_host_not_allowed` or `description_not_allowed`. More may be added. */
                code: string;
                /** @description The same for people, and what to do. */
                message: string;
            }[];
        };
        /** @description What this API is, and what it can do. */
        ServiceIndex: {
            /** @description The name of the API. */
            name: string;
            /**
             * @description The version, as in the path.
             * @constant
             */
            version: "v1";
            /** @description Null until there is a public URL. */
            docs: string | null;
            /** @description What a secret key can call in both modes, as `METHOD /path`. */
            endpoints: string[];
            /** @description The endpoints that a restricted key with a scope can call. */
            scopes: {
                [key: string]: string[];
            };
        };
        /** @description An error, as in RFC 9457. */
        Problem: {
            /**
             * Format: uri-reference
             * @description The page that says what causes the error and what to do about it; relative to the API's host unless the documentation has a URL of its own.
             */
            type: string;
            /** @description The kind of error, for people: the same for every error with this code. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description For people to read; may change. */
            detail: string;
            /**
             * @description For programs to rely on; stable.
             * @enum {string}
             */
            code: "validation_failed" | "identity_required" | "malformed_body" | "invalid_api_key" | "secret_key_required" | "test_key_required" | "insufficient_scope" | "address_not_allowed" | "origin_not_allowed" | "verification_required" | "merchant_suspended" | "not_found" | "method_not_allowed" | "request_timeout" | "account_retired" | "details_already_given" | "session_closed" | "not_cancellable" | "reference_conflict" | "replay_running" | "test_clock_advancing" | "no_webhook_url" | "body_too_large" | "unsupported_media_type" | "amount_over_limit" | "insufficient_balance" | "account_unresolved" | "proof_required" | "rate_limited" | "internal_error" | "crypto_unavailable" | "provider_error" | "service_unavailable" | "payout_limit_exceeded" | "payouts_stopped" | "amount_slots_exhausted" | "provider_timeout";
            /** @description The same as in X-Request-Id. */
            request_id: string;
            /**
             * @description Present once the key was recognized.
             * @enum {string}
             */
            mode?: "test" | "live";
            /** @description The fields that are invalid or missing, with `validation_failed` and `identity_required`. With `not_found`, the field that names what does not exist, unless that is in the path. */
            errors?: {
                /** @description The field or parameter. */
                param: string;
                /** @description What is wrong with it, for programs: such as `invalid_type`, `too_small`, `too_big`, `not_multiple_of`, `invalid_format`, `invalid_value`, `required` or `invalid`. There can be more. */
                code: string;
                /** @description What is wrong with it, for people; may change. */
                message: string;
            }[];
            /** @description With proof_required: find a number n for which the SHA-256 of `{challenge}.{n}` begins with `difficulty` zero bits, and repeat the call with `{challenge}.{n}` as `proof`. */
            proof?: {
                /** @description The text to solve. */
                challenge: string;
                /** @description How many zero bits are asked for. */
                difficulty: number;
                /** @description Until when the solution is accepted. */
                expires_at: string;
            };
        };
        /**
         * @description Money was received in a customer's account or in a collection account.
         * @example {
         *       "event": "collection.success",
         *       "mode": "test",
         *       "created_at": "2026-11-21T09:34:12.480+00:00",
         *       "data": {
         *         "reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *         "amount": 2500.73,
         *         "fee": 25.01,
         *         "net": 2475.72,
         *         "paid_at": "2026-11-21T09:34:12.480+00:00",
         *         "currency": "NGN",
         *         "rail": "bank",
         *         "customer_reference": "cust_42",
         *         "customer_name": "Ngozi Eze",
         *         "account_number": "0000000419",
         *         "payer_name": "NGOZI EZE",
         *         "payment_reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *         "merchant_reference": "order-1001",
         *         "payer": {
         *           "name": "NGOZI EZE",
         *           "account_number": "0123456789",
         *           "bank_name": "First Bank"
         *         },
         *         "metadata": {
         *           "branch": "yaba"
         *         }
         *       }
         *     }
         */
        CollectionSuccessEvent: {
            /**
             * @description The kind of event, as in `X-Service-Event`.
             * @constant
             */
            event: "collection.success";
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description When the event was recorded; the same in every attempt to deliver it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /** @description The transfer that was received. */
            data: {
                /** @description Credit it once. The first transfer that is matched to a session has the session's `reference`, `pay_…`; every other has one of its own, `col_…`. */
                reference: string;
                /** @description What was received, in naira: what the payer sent, before our fee. Credit your customer with it; you bear the fee. */
                amount: number;
                /** @description Our fee on it, in naira, which you bear; in test mode, too. */
                fee: number;
                /** @description `amount` less `fee`, in naira: what was added to Collected. */
                net: number;
                /**
                 * @description Always naira.
                 * @constant
                 */
                currency: "NGN";
                /**
                 * @description How the money was sent: by bank transfer. Further ways may be added.
                 * @constant
                 */
                rail: "bank";
                /** @description Your own key for the customer: the one in whose account the money was received, or to whom your team attached it. Null without one. */
                customer_reference: string | null;
                /** @description The customer's name, or else the name that the payer gave at the checkout; null without either. `Erased` once the person was erased. */
                customer_name: string | null;
                /** @description The account that received the money. */
                account_number: string;
                /** @description The sender, as the bank reported it; empty if it reported none. Do not match on it. */
                payer_name: string;
                /**
                 * Format: date-time
                 * @description When it was paid, by the bank's clock.
                 * @example 2026-11-21T09:30:00.123+00:00
                 */
                paid_at: string;
                /** @description The payment session that the transfer paid, or to which your team attached it. Null if there is none, for example because it was sent before one was created. */
                payment_reference: string | null;
                /** @description Your order id of that session; null without a session, or if you sent none. */
                merchant_reference: string | null;
                /** @description The sender, as far as the bank reported it. Absent from events recorded before it was added, on 2026-11-22. */
                payer?: {
                    /** @description The same as `payer_name`. */
                    name: string;
                    /** @description Null if the bank did not report it. */
                    account_number: string | null;
                    /** @description Null if the bank did not report it. */
                    bank_name: string | null;
                };
                /**
                 * @description The metadata of the payment session that it paid, also if that is `{}`; without a session, that of the customer's account. Of money that was attached, that of the session or customer it was attached to. Absent from events recorded before it was added, on 2026-11-22.
                 * @example {
                 *       "branch": "yaba"
                 *     }
                 */
                metadata?: {
                    [key: string]: string;
                };
            };
        };
        /**
         * @description Your team attached money that had matched nothing to a payment session or a customer. No further money was received: its `collection.success` had the same `data.reference`.
         * @example {
         *       "event": "collection.attached",
         *       "mode": "test",
         *       "created_at": "2026-11-21T09:34:12.480+00:00",
         *       "data": {
         *         "reference": "col_5tRq9ZkW2mXc7nVb4yLd8p",
         *         "amount": 2500,
         *         "fee": 25,
         *         "net": 2475,
         *         "paid_at": "2026-11-21T09:34:12.480+00:00",
         *         "currency": "NGN",
         *         "rail": "bank",
         *         "customer_reference": "cust_42",
         *         "customer_name": "Ngozi Eze",
         *         "account_number": "0000000419",
         *         "payer_name": "NGOZI EZE",
         *         "payment_reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *         "merchant_reference": "order-1001",
         *         "payer": {
         *           "name": "NGOZI EZE",
         *           "account_number": "0123456789",
         *           "bank_name": "First Bank"
         *         },
         *         "metadata": {
         *           "branch": "yaba"
         *         }
         *       }
         *     }
         */
        CollectionAttachedEvent: {
            /**
             * @description The kind of event, as in `X-Service-Event`.
             * @constant
             */
            event: "collection.attached";
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description When the event was recorded; the same in every attempt to deliver it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /** @description The transfer as in its `collection.success`, and the session or customer that it belongs to now. */
            data: {
                /** @description Credit it once. The first transfer that is matched to a session has the session's `reference`, `pay_…`; every other has one of its own, `col_…`. */
                reference: string;
                /** @description What was received, in naira: what the payer sent, before our fee. Credit your customer with it; you bear the fee. */
                amount: number;
                /** @description Our fee on it, in naira, which you bear; in test mode, too. */
                fee: number;
                /** @description `amount` less `fee`, in naira: what was added to Collected. */
                net: number;
                /**
                 * @description Always naira.
                 * @constant
                 */
                currency: "NGN";
                /**
                 * @description How the money was sent: by bank transfer. Further ways may be added.
                 * @constant
                 */
                rail: "bank";
                /** @description Your own key for the customer: the one in whose account the money was received, or to whom your team attached it. Null without one. */
                customer_reference: string | null;
                /** @description The customer's name, or else the name that the payer gave at the checkout; null without either. `Erased` once the person was erased. */
                customer_name: string | null;
                /** @description The account that received the money. */
                account_number: string;
                /** @description The sender, as the bank reported it; empty if it reported none. Do not match on it. */
                payer_name: string;
                /**
                 * Format: date-time
                 * @description When it was paid, by the bank's clock.
                 * @example 2026-11-21T09:30:00.123+00:00
                 */
                paid_at: string;
                /** @description The payment session that the transfer paid, or to which your team attached it. Null if there is none, for example because it was sent before one was created. */
                payment_reference: string | null;
                /** @description Your order id of that session; null without a session, or if you sent none. */
                merchant_reference: string | null;
                /** @description The sender, as far as the bank reported it. Absent from events recorded before it was added, on 2026-11-22. */
                payer?: {
                    /** @description The same as `payer_name`. */
                    name: string;
                    /** @description Null if the bank did not report it. */
                    account_number: string | null;
                    /** @description Null if the bank did not report it. */
                    bank_name: string | null;
                };
                /**
                 * @description The metadata of the payment session that it paid, also if that is `{}`; without a session, that of the customer's account. Of money that was attached, that of the session or customer it was attached to. Absent from events recorded before it was added, on 2026-11-22.
                 * @example {
                 *       "branch": "yaba"
                 *     }
                 */
                metadata?: {
                    [key: string]: string;
                };
            };
        };
        /**
         * @description The bank took back a collection, or a part of it. Our fee on it is given back; the rest is taken from Collected, then from Settled, and what both lack is owed and taken from what is received next.
         * @example {
         *       "event": "collection.reversed",
         *       "mode": "test",
         *       "created_at": "2026-11-21T09:34:12.480+00:00",
         *       "data": {
         *         "reference": "rev_4uQx7TqPz2mWkNfB8sYcVh",
         *         "collection_reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *         "amount": 2500.73,
         *         "fee": 25.01,
         *         "net": 2475.72,
         *         "currency": "NGN",
         *         "collection_amount": 2500.73,
         *         "amount_reversed": 2500.73,
         *         "account_number": "0000000419",
         *         "customer_reference": "cust_42",
         *         "payment_reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *         "merchant_reference": "order-1001",
         *         "reversed_at": "2026-11-21T09:34:12.480+00:00"
         *       }
         *     }
         */
        CollectionReversedEvent: {
            /**
             * @description The kind of event, as in `X-Service-Event`.
             * @constant
             */
            event: "collection.reversed";
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description When the event was recorded; the same in every attempt to deliver it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /** @description What the bank took back. */
            data: {
                /** @description Of the reversal, `rev_…`. Act on it once. */
                reference: string;
                /** @description The `data.reference` of the `collection.success`. */
                collection_reference: string;
                /** @description What the bank took back of the collection, in naira. */
                amount: number;
                /** @description Our fee on it, in naira, which you get back. */
                fee: number;
                /** @description `amount` less `fee`, in naira: what is taken from your balances. */
                net: number;
                /**
                 * @description Always naira.
                 * @constant
                 */
                currency: "NGN";
                /** @description What the collection was, in naira. */
                collection_amount: number;
                /** @description How much of the collection the bank has taken back so far, this part included, in naira. */
                amount_reversed: number;
                /** @description The account that had received the money. */
                account_number: string;
                /** @description Your own key for the customer of the collection; null without one. */
                customer_reference: string | null;
                /** @description The payment session that the collection paid; null without one. Its status stays as it was. */
                payment_reference: string | null;
                /** @description Your order id of that session; null without a session, or if you sent none. */
                merchant_reference: string | null;
                /**
                 * Format: date-time
                 * @description When the bank took it back, by its clock.
                 * @example 2026-11-21T09:30:00.123+00:00
                 */
                reversed_at: string;
            };
        };
        /**
         * @description The beneficiary's bank accepted a transfer.
         * @example {
         *       "event": "transfer.success",
         *       "mode": "test",
         *       "created_at": "2026-11-21T09:34:12.480+00:00",
         *       "data": {
         *         "reference": "trf_4Hq8wZ1cTn5kYx7pRj2mVb",
         *         "merchant_reference": "payout-7",
         *         "status": "success",
         *         "amount": 1000,
         *         "fee": 0,
         *         "currency": "NGN",
         *         "bank_code": "000",
         *         "account_number": "0000000110",
         *         "bank_name": "Test Bank",
         *         "account_name": "Adaeze Bello",
         *         "narration": "Invoice 7",
         *         "failure_code": null,
         *         "failure_reason": null,
         *         "metadata": {
         *           "branch": "yaba"
         *         },
         *         "mode": "test",
         *         "created_at": "2026-11-22T08:15:30.250+00:00",
         *         "completed_at": "2026-11-22T08:15:31.940+00:00"
         *       }
         *     }
         */
        TransferSuccessEvent: {
            /**
             * @description The kind of event, as in `X-Service-Event`.
             * @constant
             */
            event: "transfer.success";
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description When the event was recorded; the same in every attempt to deliver it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            data: components["schemas"]["TransferEventData"];
        };
        /**
         * @description The transfer, at that time.
         * @example {
         *       "reference": "trf_4Hq8wZ1cTn5kYx7pRj2mVb",
         *       "merchant_reference": "payout-7",
         *       "status": "success",
         *       "amount": 1000,
         *       "fee": 0,
         *       "currency": "NGN",
         *       "bank_code": "000",
         *       "account_number": "0000000110",
         *       "bank_name": "Test Bank",
         *       "account_name": "Adaeze Bello",
         *       "narration": "Invoice 7",
         *       "failure_code": null,
         *       "failure_reason": null,
         *       "metadata": {
         *         "branch": "yaba"
         *       },
         *       "mode": "test",
         *       "created_at": "2026-11-22T08:15:30.250+00:00",
         *       "completed_at": "2026-11-22T08:15:31.940+00:00"
         *     }
         */
        TransferEventData: {
            /**
             * @description Our id of the transfer. A success and its reversal share it.
             * @example trf_4Hq8wZ1cTn5kYx7pRj2mVb
             */
            reference: string;
            /** @description Your own id of it, sent as `reference`. */
            merchant_reference: string;
            /**
             * @description How far it is; each of the last three sends the event of its name.
             *     - `pending`: the money is reserved. It may have been sent: do not order it again under another reference.
             *     - `success`: the beneficiary's bank accepted it.
             *     - `failed`: nothing was paid, and the money is back in Settled.
             *     - `reversed`: the bank returned it after a success, and the money is back in Settled.
             * @enum {string}
             */
            status: "pending" | "success" | "failed" | "reversed";
            /** @description What the beneficiary receives, in naira. */
            amount: number;
            /** @description Our fee for the transfer, in naira; 0 by default. */
            fee: number;
            /**
             * @description Always naira.
             * @constant
             */
            currency: "NGN";
            /** @description The bank's code, as `GET /banks` lists it. A string: it can begin with 0. */
            bank_code: string;
            /** @description The bank's name. */
            bank_name: string;
            /** @description The beneficiary's. */
            account_number: string;
            /** @description The holder's name, as the bank has it. In live mode it is reduced to initials (`N*** E***`) when 30 or more accounts were looked up, or ordered to for the first time, within 60 minutes, and this one was neither looked up within the hour nor sent ₦100 or more before; it is shown once ₦100 or more was sent. */
            account_name: string;
            /** @description As you sent it; null if you sent none. */
            narration: string | null;
            /** @description Why it failed or was reversed, for programs: a code of the bank, or of our adapter for it (such as `invalid_account`, `below_minimum`, `partner_balance` or `not_sent`), or `not_received`, `not_executed`, `approval_declined` or `approval_expired`. Null in other states, and if the bank gave none. */
            failure_code: string | null;
            /** @description The same for people. */
            failure_reason: string | null;
            /**
             * @description As you sent it with the order. Absent if that was before it was added, on 2026-11-22.
             * @example {
             *       "branch": "yaba"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description When you ordered it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /** @description When it ended, or, in `reversed`, when it was reversed; null while it is `pending`. */
            completed_at: string | null;
        };
        /**
         * @description A transfer failed, and its money is back in Settled.
         * @example {
         *       "event": "transfer.failed",
         *       "mode": "test",
         *       "created_at": "2026-11-21T09:34:12.480+00:00",
         *       "data": {
         *         "reference": "trf_4Hq8wZ1cTn5kYx7pRj2mVb",
         *         "merchant_reference": "payout-7",
         *         "status": "failed",
         *         "amount": 1000,
         *         "fee": 0,
         *         "currency": "NGN",
         *         "bank_code": "000",
         *         "account_number": "0000000110",
         *         "bank_name": "Test Bank",
         *         "account_name": "Adaeze Bello",
         *         "narration": "Invoice 7",
         *         "failure_code": "declined",
         *         "failure_reason": "The beneficiary's bank declined the transfer.",
         *         "metadata": {
         *           "branch": "yaba"
         *         },
         *         "mode": "test",
         *         "created_at": "2026-11-22T08:15:30.250+00:00",
         *         "completed_at": "2026-11-22T08:15:31.940+00:00"
         *       }
         *     }
         */
        TransferFailedEvent: {
            /**
             * @description The kind of event, as in `X-Service-Event`.
             * @constant
             */
            event: "transfer.failed";
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description When the event was recorded; the same in every attempt to deliver it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            data: components["schemas"]["TransferEventData"];
        };
        /**
         * @description The bank reversed a successful transfer, and its money is back in Settled.
         * @example {
         *       "event": "transfer.reversed",
         *       "mode": "test",
         *       "created_at": "2026-11-21T09:34:12.480+00:00",
         *       "data": {
         *         "reference": "trf_4Hq8wZ1cTn5kYx7pRj2mVb",
         *         "merchant_reference": "payout-7",
         *         "status": "reversed",
         *         "amount": 1000,
         *         "fee": 0,
         *         "currency": "NGN",
         *         "bank_code": "000",
         *         "account_number": "0000000110",
         *         "bank_name": "Test Bank",
         *         "account_name": "Adaeze Bello",
         *         "narration": "Invoice 7",
         *         "failure_code": "returned",
         *         "failure_reason": "The beneficiary's bank returned the money.",
         *         "metadata": {
         *           "branch": "yaba"
         *         },
         *         "mode": "test",
         *         "created_at": "2026-11-22T08:15:30.250+00:00",
         *         "completed_at": "2026-11-22T08:15:31.940+00:00"
         *       }
         *     }
         */
        TransferReversedEvent: {
            /**
             * @description The kind of event, as in `X-Service-Event`.
             * @constant
             */
            event: "transfer.reversed";
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description When the event was recorded; the same in every attempt to deliver it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            data: components["schemas"]["TransferEventData"];
        };
        /**
         * @description A member of your team sent it from the dashboard to test your endpoint. No money is involved.
         * @example {
         *       "event": "webhook.test",
         *       "mode": "test",
         *       "created_at": "2026-11-21T09:30:00.123+00:00",
         *       "data": {
         *         "message": "This is a test. No money has moved.",
         *         "reference": "tst_4f7a0c1e9b2d83650a1c7e42"
         *       }
         *     }
         */
        WebhookTestEvent: {
            /**
             * @description The kind of event, as in `X-Service-Event`.
             * @constant
             */
            event: "webhook.test";
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description When the event was recorded; the same in every attempt to deliver it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /** @description Nothing to act on. */
            data: {
                /** @description Says that it is a test. */
                message: string;
                /** @description The id of the test, `tst_…`. Credit nothing. */
                reference: string;
            };
        };
        /**
         * @description Sent to a new webhook URL. Respond with `data.challenge`, as the body or in a JSON field `challenge`, to receive events there.
         * @example {
         *       "event": "endpoint.challenge",
         *       "mode": "live",
         *       "created_at": "2026-11-21T09:30:00.123+00:00",
         *       "data": {
         *         "challenge": "9f4c2b7a1d3e8560c7b1a2f4d5e6978812ab34cd56ef7890",
         *         "reference": "chl_1c7e429b2d83650a4f7a0c1e"
         *       }
         *     }
         */
        EndpointChallengeEvent: {
            /**
             * @description The kind of event, as in `X-Service-Event`.
             * @constant
             */
            event: "endpoint.challenge";
            /**
             * @description `test` or `live`. The key alone decides it.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description When the event was recorded; the same in every attempt to deliver it.
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            /** @description What to respond with. */
            data: {
                /** @description Respond with it, as the body or in a JSON field `challenge`. */
                challenge: string;
                /** @description The id of the challenge, `chl_…`. */
                reference: string;
            };
        };
        /**
         * @description The customer who gets an account.
         * @example {
         *       "customer_reference": "cust_42",
         *       "customer_name": "Ngozi Eze",
         *       "metadata": {
         *         "branch": "yaba"
         *       }
         *     }
         */
        IssueCustomerAccountBody: {
            /**
             * @description Your own key for the customer, case-sensitive. It identifies the account: the same one always returns the same account.
             * @example cust_42
             */
            customer_reference: string;
            /** @description Required the first time a `customer_reference` is used; it becomes part of the account's name. */
            customer_name?: string | null;
            /**
             * @description Your own values with it, which every response and event about it returns: up to 20 keys of 40 characters, with strings of up to 500. In a form, `metadata[order]=17`. A repeat does not change them.
             * @example {
             *       "branch": "yaba"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description The customer's Bank Verification Number. Send it, or `nin`, if the bank asks for one: the call is then refused with `identity_required` without it. It is passed on to the bank and kept nowhere. */
            bvn?: string | null;
            /** @description The customer's National Identification Number, instead of `bvn`. */
            nin?: string | null;
        };
        /**
         * @description The payment that you request.
         * @example {
         *       "amount": 2500,
         *       "reference": "order-1001",
         *       "customer_reference": "cust_42",
         *       "customer_name": "Ngozi Eze",
         *       "description": "Two bags of rice",
         *       "redirect_url": "https://shop.example.com/thanks?order=1001",
         *       "metadata": {
         *         "branch": "yaba"
         *       }
         *     }
         */
        OpenPaymentBody: {
            /** @description What you request, in naira with at most two decimals. The payer is asked for 1 to 99 kobo more: `amount` of the response. */
            amount: number;
            /**
             * @description Your order id, strongly recommended: a repeat with the same one returns the same session, in whatever state it is and whatever else the call sends. It is `merchant_reference` in responses and events.
             * @example order-1001
             */
            reference?: string | null;
            /**
             * @description Your own key for the customer, whose permanent account the payer then sees; a new one gets an account at once. Without it, the payer sees one of your collection accounts.
             * @example cust_42
             */
            customer_reference?: string | null;
            /** @description Required the first time a `customer_reference` is used. Without both, the checkout asks the payer for a name and an email address first. */
            customer_name?: string | null;
            /** @description What the payment is for; the payer sees it. */
            description?: string | null;
            /** @description Where the payer can return after paying; the link gets `reference=…` unless it has one. Only an https URL is kept; others are dropped, not refused. */
            redirect_url?: string | null;
            /**
             * @description Your own values with it, which every response and event about it returns: up to 20 keys of 40 characters, with strings of up to 500. In a form, `metadata[order]=17`. A repeat does not change them.
             * @example {
             *       "branch": "yaba"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        /**
         * @description The payment that you request.
         * @example {
         *       "amount": 2500,
         *       "reference": "order-1001",
         *       "customer_reference": "cust_42",
         *       "customer_name": "Ngozi Eze",
         *       "description": "Two bags of rice",
         *       "redirect_url": "https://shop.example.com/thanks?order=1001",
         *       "metadata": {
         *         "branch": "yaba"
         *       }
         *     }
         */
        OpenCryptoPaymentBody: {
            /** @description What you request, in naira with at most two decimals. The payer is asked for 1 to 99 kobo more: `amount` of the response. */
            amount: number;
            /**
             * @description Your order id, strongly recommended: a repeat with the same one returns the same session, in whatever state it is and whatever else the call sends. It is `merchant_reference` in responses and events.
             * @example order-1001
             */
            reference?: string | null;
            /**
             * @description Your own key for the customer, whose permanent account the payer then sees; a new one gets an account at once. Without it, the payer sees one of your collection accounts.
             * @example cust_42
             */
            customer_reference?: string | null;
            /** @description Required the first time a `customer_reference` is used. Without both, the checkout asks the payer for a name and an email address first. */
            customer_name?: string | null;
            /** @description What the payment is for; the payer sees it. */
            description?: string | null;
            /** @description Where the payer can return after paying; the link gets `reference=…` unless it has one. Only an https URL is kept; others are dropped, not refused. */
            redirect_url?: string | null;
            /**
             * @description Your own values with it, which every response and event about it returns: up to 20 keys of 40 characters, with strings of up to 500. In a form, `metadata[order]=17`. A repeat does not change them.
             * @example {
             *       "branch": "yaba"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        /**
         * @description The account whose holder you look up.
         * @example {
         *       "bank_code": "000",
         *       "account_number": "0000000110"
         *     }
         */
        ResolveAccountBody: {
            /** @description The bank's code, as `GET /banks` lists it. A string: it can begin with 0. */
            bank_code: string;
            /** @description A bank account number (NUBAN): ten digits. A string: it can begin with 0. */
            account_number: string;
        };
        /**
         * @description The transfer that you order.
         * @example {
         *       "amount": 1000,
         *       "bank_code": "000",
         *       "account_number": "0000000110",
         *       "reference": "payout-7",
         *       "narration": "Invoice 7",
         *       "metadata": {
         *         "branch": "yaba"
         *       }
         *     }
         */
        CreateTransferBody: {
            /** @description What the beneficiary receives, in naira, out of Settled. */
            amount: number;
            /** @description The bank's code, as `GET /banks` lists it. A string: it can begin with 0. */
            bank_code: string;
            /** @description The beneficiary's: ten digits (NUBAN), as a string. */
            account_number: string;
            /**
             * @description Your own id of the transfer. A repeat with the same values returns the same transfer; with other values it is refused with `reference_conflict`.
             * @example order-1001
             */
            reference: string;
            /** @description What the beneficiary's bank shows with the transfer. */
            narration?: string | null;
            /**
             * @description Your own values with it, which every response and event about it returns: up to 20 keys of 40 characters, with strings of up to 500. In a form, `metadata[order]=17`. A repeat with others is refused with `reference_conflict`.
             * @example {
             *       "branch": "yaba"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        /**
         * @description No fields.
         * @example {}
         */
        CancelPaymentBody: Record<string, never>;
        /**
         * @description No fields.
         * @example {}
         */
        ReplayEventBody: Record<string, never>;
        /**
         * @description The events that you missed.
         * @example {
         *       "after_sequence": 41,
         *       "up_to_sequence": 42
         *     }
         */
        ReplayEventsBody: {
            /**
             * Format: int32
             * @description The events that follow this sequence number are sent.
             */
            after_sequence: number;
            /**
             * Format: int32
             * @description The last of them, at most 10,000 further. It must be in the log already.
             */
            up_to_sequence: number;
        };
        /**
         * @description A transfer into a customer's account.
         * @example {
         *       "outcome": "paid"
         *     }
         */
        SimulatePaymentBody: {
            /**
             * @description What the simulated payer does. `paid` sends what is owed, `underpaid` 90 % and `overpaid` 110 % of it: each is credited and sends `collection.success`. `expired` sends nothing and ends the session, without an event.
             * @enum {string}
             */
            outcome: "paid" | "underpaid" | "overpaid" | "expired";
            /** @description The amount owed, of which the outcome decides what is sent. By default what the newest open session lacks. */
            amount?: number | null;
            /** @description The sender; the customer's name by default. */
            payer_name?: string | null;
        };
        /**
         * @description A transfer into a collection account.
         * @example {
         *       "outcome": "paid",
         *       "payment_reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc"
         *     }
         */
        SandboxPayBody: {
            /**
             * @description What the simulated payer does. `paid` sends what is owed, `underpaid` 90 % and `overpaid` 110 % of it: each is credited and sends `collection.success`. `expired` sends nothing and ends the session, without an event.
             * @enum {string}
             */
            outcome: "paid" | "underpaid" | "overpaid" | "expired";
            /** @description The exact amount, kobo included, of the newest open session to pay. Without one, the money is credited to your first collection account and pays no session. Either this or `payment_reference` is required. */
            amount?: number | null;
            /** @description The session to pay, `pay_…`. Either this or `amount` is required. */
            payment_reference?: string | null;
            /** @description What is really sent, in naira, instead of what follows from the outcome. */
            amount_sent?: number | null;
            /** @description The sender; `Test Payer` by default. */
            payer_name?: string | null;
        };
        /**
         * @description What goes wrong, and with which transfer.
         * @example {
         *       "name": "reported_twice",
         *       "seed": 7,
         *       "account_number": "0000000419",
         *       "amount": 2500.73
         *     }
         */
        SandboxPlayScenarioBody: {
            /**
             * @description What goes wrong. The bank:
             *     - `reported_twice`: it reports one transfer twice. One collection.
             *     - `reported_late`: it reports a transfer a day after it was paid, or as late as `paid_at` says.
             *     - `reported_out_of_order`: three transfers, a minute apart, reported in the reverse order.
             *     - `reported_with_another_amount`: it reports a transfer again, with one naira more. The second report is quarantined and never credited.
             *     - `reported_then_reversed`: it reports a transfer, and then takes it back. `collection.success`, then `collection.reversed`.
             *
             *     Your server, in the first attempts to deliver the event of one transfer, `times` of them. The later attempts are real:
             *     - `receiver_fails`: it answers 500.
             *     - `receiver_times_out`: it does not answer in time.
             *     - `receiver_redirects`: it answers 302. Redirects are never followed.
             *     - `receiver_resets_connection`: it closes the connection without an answer.
             *     - `response_lost`: it gets the event and acknowledges it, but the acknowledgment is lost, so it gets the event again. In the others it is not called.
             * @enum {string}
             */
            name: "reported_twice" | "reported_late" | "reported_out_of_order" | "reported_with_another_amount" | "reported_then_reversed" | "receiver_fails" | "receiver_times_out" | "receiver_redirects" | "receiver_resets_connection" | "response_lost";
            /**
             * Format: int32
             * @description Any whole number. The payer and, unless you send it, the amount are derived from it. A repeat with the same fields and the same seed returns the same response and credits nothing again; another seed is another run.
             */
            seed: number;
            /** @description The test account that receives the money: a customer's, or that of a payment session. */
            account_number: string;
            /** @description What the payer sends, in naira; in `reported_out_of_order`, each time. To pay a session, its exact `amount`. */
            amount?: number | null;
            /**
             * Format: date-time
             * @description When the payer's bank sent it; of several, the latest. By default now, and a day ago for `reported_late`. At most 400 days ago.
             */
            paid_at?: string | null;
            /**
             * Format: int32
             * @description How many attempts go wrong, 1 by default. Only for what your server does.
             */
            times?: number | null;
        };
        /**
         * @description No fields.
         * @example {}
         */
        SandboxSettleBody: Record<string, never>;
        /**
         * @description How far to advance the test clock.
         * @example {
         *       "advance_by": 86400
         *     }
         */
        AdvanceTestClockBody: {
            /**
             * Format: int32
             * @description Seconds from the clock's present time. A repeat advances it again. Either this or `advance_to` is required.
             */
            advance_by?: number | null;
            /**
             * Format: date-time
             * @description A time that the clock has not passed, at most 400 days ahead of real time. Safe to repeat until real time has passed it. Either this or `advance_by` is required.
             */
            advance_to?: string | null;
        };
        /**
         * @description The payer of a session without a customer.
         * @example {
         *       "name": "Ngozi Eze",
         *       "email": "ngozi@example.com"
         *     }
         */
        GiveCheckoutDetailsBody: {
            /** @description The payer's name, which the merchant sees. */
            name: string;
            /**
             * Format: email
             * @description The payer's email address, which the merchant sees.
             */
            email: string;
            /** @description Only after a 429 `proof_required`: `{challenge}.{n}`, of the challenge in its `proof`. It counts once, for the same kind of call to the same merchant from the same network, within five minutes and while not much more work is asked for by then; otherwise the response is a new challenge. Not needed, it is ignored. */
            proof?: string | null;
        };
        /**
         * @description No fields.
         * @example {}
         */
        ReportCheckoutSentBody: Record<string, never>;
        /**
         * @description The payment that a web page requests.
         * @example {
         *       "amount": 2500,
         *       "reference": "order-1001",
         *       "description": "Two bags of rice",
         *       "redirect_url": "https://shop.example.com/thanks?order=1001",
         *       "client_nonce": "0f8b2c61d4e94c7a"
         *     }
         */
        OpenCheckoutBody: {
            /** @description What you request, in naira with at most two decimals. The payer is asked for 1 to 99 kobo more: `amount` of the response. */
            amount: number;
            /**
             * @description Your order id, as `merchant_reference` in the response. It does not make a repeat the same session.
             * @example order-1001
             */
            reference?: string | null;
            /** @description What the payment is for; the payer sees it. */
            description?: string | null;
            /** @description Where the payer can return after paying; the link gets `reference=…` unless it has one. Only an https URL is kept; others are dropped, not refused. */
            redirect_url?: string | null;
            /** @description Drawn by the page at random and kept, for one attempt to pay. The same nonce with the same amount, reference, description and redirect_url returns the same session, also when sent twice at once, in every state but `expired`; after that, and with any other field, it creates another one. */
            client_nonce?: string | null;
            /** @description Only after a 429 `proof_required`: `{challenge}.{n}`, of the challenge in its `proof`. It counts once, for the same kind of call to the same merchant from the same network, within five minutes and while not much more work is asked for by then; otherwise the response is a new challenge. Not needed, it is ignored. */
            proof?: string | null;
        };
    };
    responses: {
        /** @description `invalid_api_key`: The API key is missing or wrong. `secret_key_required`: A secret key is required. */
        invalid_api_key_or_secret_key_required: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @enum {string} */
                    code?: "invalid_api_key" | "secret_key_required";
                };
            };
        };
        /** @description `insufficient_scope`: The key lacks the scope for this. `address_not_allowed`: The key cannot be used from this address. `verification_required`: The business is not verified yet. */
        insufficient_scope_or_address_not_allowed_or_verification_required_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "insufficient_scope" | "address_not_allowed" | "verification_required";
                };
            };
        };
        /** @description `rate_limited`: Too many requests. */
        rate_limited_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {string} */
                    code?: "rate_limited";
                };
            };
        };
        /** @description `internal_error`: Something went wrong on our side. */
        internal_error_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 500;
                    /** @enum {string} */
                    code?: "internal_error";
                };
            };
        };
        /** @description `service_unavailable`: Temporarily unavailable. */
        service_unavailable_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After-If-Known"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {string} */
                    code?: "service_unavailable";
                };
            };
        };
        /** @description `validation_failed`: The request has invalid fields. `identity_required`: The bank needs a number that identifies the customer. `malformed_body`: The request body could not be parsed. */
        validation_failed_or_identity_required_or_malformed_body_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "validation_failed" | "identity_required" | "malformed_body";
                };
            };
        };
        /** @description `insufficient_scope`: The key lacks the scope for this. `address_not_allowed`: The key cannot be used from this address. `verification_required`: The business is not verified yet. `merchant_suspended`: The business is suspended. */
        insufficient_scope_or_address_not_allowed_or_verification_required_or_merchant_suspended_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "insufficient_scope" | "address_not_allowed" | "verification_required" | "merchant_suspended";
                };
            };
        };
        /** @description `request_timeout`: The request was not received in time. */
        request_timeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 408;
                    /** @enum {string} */
                    code?: "request_timeout";
                };
            };
        };
        /** @description `body_too_large`: The request body is too large. */
        body_too_large_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 413;
                    /** @enum {string} */
                    code?: "body_too_large";
                };
            };
        };
        /** @description `unsupported_media_type`: Unsupported media type. */
        unsupported_media_type_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 415;
                    /** @enum {string} */
                    code?: "unsupported_media_type";
                };
            };
        };
        /** @description `provider_error`: The partner bank refused the request or failed. */
        provider_error_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 502;
                    /** @enum {string} */
                    code?: "provider_error";
                };
            };
        };
        /** @description `provider_timeout`: The partner bank did not respond in time. */
        provider_timeout_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 504;
                    /** @enum {string} */
                    code?: "provider_timeout";
                };
            };
        };
        /** @description `validation_failed`: The request has invalid fields. */
        validation_failed_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "validation_failed";
                };
            };
        };
        /** @description `not_found`: Not found. */
        not_found_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @enum {string} */
                    code?: "not_found";
                };
            };
        };
        /** @description `validation_failed`: The request has invalid fields. `identity_required`: The bank needs a number that identifies the customer. `malformed_body`: The request body could not be parsed. */
        validation_failed_or_identity_required_or_malformed_body: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "validation_failed" | "identity_required" | "malformed_body";
                };
            };
        };
        /** @description `insufficient_scope`: The key lacks the scope for this. `address_not_allowed`: The key cannot be used from this address. `verification_required`: The business is not verified yet. `merchant_suspended`: The business is suspended. */
        insufficient_scope_or_address_not_allowed_or_verification_required_or_merchant_suspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "insufficient_scope" | "address_not_allowed" | "verification_required" | "merchant_suspended";
                };
            };
        };
        /** @description `account_retired`: The customer account is retired. */
        account_retired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "account_retired";
                };
            };
        };
        /** @description `body_too_large`: The request body is too large. */
        body_too_large: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 413;
                    /** @enum {string} */
                    code?: "body_too_large";
                };
            };
        };
        /** @description `unsupported_media_type`: Unsupported media type. */
        unsupported_media_type: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 415;
                    /** @enum {string} */
                    code?: "unsupported_media_type";
                };
            };
        };
        /** @description `amount_over_limit`: The amount is above the limit. */
        amount_over_limit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {string} */
                    code?: "amount_over_limit";
                };
            };
        };
        /** @description `rate_limited`: Too many requests. */
        rate_limited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {string} */
                    code?: "rate_limited";
                };
            };
        };
        /** @description `internal_error`: Something went wrong on our side. */
        internal_error: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 500;
                    /** @enum {string} */
                    code?: "internal_error";
                };
            };
        };
        /** @description `provider_error`: The partner bank refused the request or failed. */
        provider_error: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 502;
                    /** @enum {string} */
                    code?: "provider_error";
                };
            };
        };
        /** @description `service_unavailable`: Temporarily unavailable. `amount_slots_exhausted`: No unique amount is available for this price. */
        service_unavailable_or_amount_slots_exhausted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-If-Known"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {string} */
                    code?: "service_unavailable" | "amount_slots_exhausted";
                };
            };
        };
        /** @description `provider_timeout`: The partner bank did not respond in time. */
        provider_timeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 504;
                    /** @enum {string} */
                    code?: "provider_timeout";
                };
            };
        };
        /** @description `validation_failed`: The request has invalid fields. `malformed_body`: The request body could not be parsed. */
        validation_failed_or_malformed_body: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "validation_failed" | "malformed_body";
                };
            };
        };
        /** @description `insufficient_scope`: The key lacks the scope for this. `address_not_allowed`: The key cannot be used from this address. `verification_required`: The business is not verified yet. */
        insufficient_scope_or_address_not_allowed_or_verification_required: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "insufficient_scope" | "address_not_allowed" | "verification_required";
                };
            };
        };
        /** @description `crypto_unavailable`: Crypto payments are not available. */
        crypto_unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 501;
                    /** @enum {string} */
                    code?: "crypto_unavailable";
                };
            };
        };
        /** @description `service_unavailable`: Temporarily unavailable. */
        service_unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-If-Known"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {string} */
                    code?: "service_unavailable";
                };
            };
        };
        /** @description `account_unresolved`: The bank account could not be found. */
        account_unresolved: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {string} */
                    code?: "account_unresolved";
                };
            };
        };
        /** @description `reference_conflict`: The reference was already used with different values. */
        reference_conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "reference_conflict";
                };
            };
        };
        /** @description `insufficient_balance`: The settled balance is too low. `account_unresolved`: The bank account could not be found. `payout_limit_exceeded`: The amount is above what may be paid out. */
        insufficient_balance_or_account_unresolved_or_payout_limit_exceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {string} */
                    code?: "insufficient_balance" | "account_unresolved" | "payout_limit_exceeded";
                };
            };
        };
        /** @description `service_unavailable`: Temporarily unavailable. `payouts_stopped`: Payouts are stopped. */
        service_unavailable_or_payouts_stopped: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-If-Known"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {string} */
                    code?: "service_unavailable" | "payouts_stopped";
                };
            };
        };
        /** @description `malformed_body`: The request body could not be parsed. */
        malformed_body: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "malformed_body";
                };
            };
        };
        /** @description `not_found`: Not found. */
        not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @enum {string} */
                    code?: "not_found";
                };
            };
        };
        /** @description `not_cancellable`: The payment cannot be cancelled any more. */
        not_cancellable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "not_cancellable";
                };
            };
        };
        /** @description `malformed_body`: The request body could not be parsed. */
        malformed_body_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "malformed_body";
                };
            };
        };
        /** @description `no_webhook_url`: No webhook URL can receive events. */
        no_webhook_url_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "no_webhook_url";
                };
            };
        };
        /** @description `validation_failed`: The request has invalid fields. `malformed_body`: The request body could not be parsed. */
        validation_failed_or_malformed_body_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "validation_failed" | "malformed_body";
                };
            };
        };
        /** @description `replay_running`: Another replay is running. `no_webhook_url`: No webhook URL can receive events. */
        replay_running_or_no_webhook_url_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "replay_running" | "no_webhook_url";
                };
            };
        };
        /** @description `test_key_required`: A test key is required. `insufficient_scope`: The key lacks the scope for this. `address_not_allowed`: The key cannot be used from this address. */
        test_key_required_or_insufficient_scope_or_address_not_allowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "test_key_required" | "insufficient_scope" | "address_not_allowed";
                };
            };
        };
        /** @description `account_retired`: The customer account is retired. `no_webhook_url`: No webhook URL can receive events. */
        account_retired_or_no_webhook_url: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "account_retired" | "no_webhook_url";
                };
            };
        };
        /** @description `test_key_required`: A test key is required. `insufficient_scope`: The key lacks the scope for this. `address_not_allowed`: The key cannot be used from this address. */
        test_key_required_or_insufficient_scope_or_address_not_allowed_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "test_key_required" | "insufficient_scope" | "address_not_allowed";
                };
            };
        };
        /** @description `test_clock_advancing`: The test clock is being advanced. */
        test_clock_advancing: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "test_clock_advancing";
                };
            };
        };
        /** @description `origin_not_allowed`: The call came from a page of another origin. `verification_required`: The business is not verified yet. `merchant_suspended`: The business is suspended. */
        origin_not_allowed_or_verification_required_or_merchant_suspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "origin_not_allowed" | "verification_required" | "merchant_suspended";
                };
            };
        };
        /** @description `details_already_given`: Different details were already provided. `session_closed`: The session is closed. */
        details_already_given_or_session_closed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "details_already_given" | "session_closed";
                };
            };
        };
        /** @description `proof_required`: A proof of work is required. `rate_limited`: Too many requests. */
        proof_required_or_rate_limited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-If-Known"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {string} */
                    code?: "proof_required" | "rate_limited";
                };
            };
        };
        /** @description `origin_not_allowed`: The call came from a page of another origin. */
        origin_not_allowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "origin_not_allowed";
                };
            };
        };
        /** @description `invalid_api_key`: The API key is missing or wrong. */
        invalid_api_key: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @enum {string} */
                    code?: "invalid_api_key";
                };
            };
        };
        /** @description `verification_required`: The business is not verified yet. `merchant_suspended`: The business is suspended. */
        verification_required_or_merchant_suspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "verification_required" | "merchant_suspended";
                };
            };
        };
        /** @description `proof_required`: A proof of work is required. */
        proof_required: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-If-Known"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {string} */
                    code?: "proof_required";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies the call in our logs; your own X-Request-Id is echoed if it is valid. */
        "X-Request-Id": string;
        /** @description The budget that the call counts against, as in draft-ietf-httpapi-ratelimit-headers-08. */
        "RateLimit-Policy": string;
        /** @description The remaining budget, and the seconds until it increases. */
        RateLimit: string;
        /** @description Seconds until the next call is accepted. */
        "Retry-After": string;
        /** @description Seconds after which the same call may succeed, where that is known. */
        "Retry-After-If-Known": string;
        /** @description How to authenticate. */
        "WWW-Authenticate": "Bearer";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getIndex: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The index. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceIndex"];
                };
            };
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balance"];
                };
            };
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    listCustomerAccounts: {
        parameters: {
            query?: {
                /** @description Larger values are reduced to 100. */
                limit?: number;
                /** @description The `next` of another page of this list, read with the same filters. */
                after?: string;
                /** @description How many of the newest to skip. Rows that are added meanwhile move such a page, and a large offset is slow: prefer `after`, which cannot be combined with it. */
                offset?: number;
                /** @description Only accounts in this status. */
                status?: "active" | "retired" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAccountList"];
                };
            };
            400: components["responses"]["validation_failed_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    issueCustomerAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueCustomerAccountBody"];
                "application/x-www-form-urlencoded": components["schemas"]["IssueCustomerAccountBody"];
            };
        };
        responses: {
            /** @description It already existed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAccount"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAccount"];
                };
            };
            400: components["responses"]["validation_failed_or_identity_required_or_malformed_body_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_or_merchant_suspended_counted"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large_counted"];
            415: components["responses"]["unsupported_media_type_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            502: components["responses"]["provider_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
            504: components["responses"]["provider_timeout_counted"];
        };
    };
    getCustomerAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own key for the customer. */
                customer_reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAccount"];
                };
            };
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            404: components["responses"]["not_found_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description Larger values are reduced to 100. */
                limit?: number;
                /** @description The `next` of another page of this list, read with the same filters. */
                after?: string;
                /** @description Only sessions in this status. */
                status?: "pending" | "processing" | "paid" | "underpaid" | "overpaid" | "expired" | "paid_late" | "all";
                /** @description Created with your reference. */
                merchant_reference?: string;
                /** @description Of this customer of yours. */
                customer_reference?: string;
                /** @description Created at or after this time. In a URL a `+` is sent as `%2B`; or use `Z`. */
                created_from?: string;
                /** @description Created before this time. */
                created_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentList"];
                };
            };
            400: components["responses"]["validation_failed_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    openPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenPaymentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["OpenPaymentBody"];
            };
        };
        responses: {
            /** @description It already existed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedPayment"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedPayment"];
                };
            };
            400: components["responses"]["validation_failed_or_identity_required_or_malformed_body"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_or_merchant_suspended"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["account_retired"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["amount_over_limit"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["provider_error"];
            503: components["responses"]["service_unavailable_or_amount_slots_exhausted"];
            504: components["responses"]["provider_timeout"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's `reference`, `pay_…`; not your own. */
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            404: components["responses"]["not_found_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    openCryptoPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenCryptoPaymentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["OpenCryptoPaymentBody"];
            };
        };
        responses: {
            400: components["responses"]["validation_failed_or_malformed_body"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            500: components["responses"]["internal_error"];
            501: components["responses"]["crypto_unavailable"];
            503: components["responses"]["service_unavailable"];
        };
    };
    listBanks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankList"];
                };
            };
            400: components["responses"]["validation_failed_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    resolveAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveAccountBody"];
                "application/x-www-form-urlencoded": components["schemas"]["ResolveAccountBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedAccount"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_or_merchant_suspended"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["account_unresolved"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["provider_error"];
            503: components["responses"]["service_unavailable"];
            504: components["responses"]["provider_timeout"];
        };
    };
    listTransfers: {
        parameters: {
            query?: {
                /** @description Larger values are reduced to 100. */
                limit?: number;
                /** @description The `next` of another page of this list, read with the same filters. */
                after?: string;
                /** @description How many of the newest to skip. Rows that are added meanwhile move such a page, and a large offset is slow: prefer `after`, which cannot be combined with it. */
                offset?: number;
                /** @description Only transfers in this status. */
                status?: "pending" | "success" | "failed" | "reversed" | "all";
                /** @description The one that you ordered under this `reference`, its `merchant_reference`, even while its money is being reserved; or the one with this `trf_…`. An order whose call is still running may not be listed yet: if you do not know whether it was accepted, repeat it with the same `reference`. */
                reference?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferList"];
                };
            };
            400: components["responses"]["validation_failed_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    createTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTransferBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateTransferBody"];
            };
        };
        responses: {
            /** @description It already existed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_or_merchant_suspended"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["reference_conflict"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["insufficient_balance_or_account_unresolved_or_payout_limit_exceeded"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["provider_error"];
            503: components["responses"]["service_unavailable_or_payouts_stopped"];
            504: components["responses"]["provider_timeout"];
        };
    };
    getTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The transfer's `reference`, `trf_…`; not your own. */
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            404: components["responses"]["not_found_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    cancelPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's `reference`, `pay_…`; not your own. */
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelPaymentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CancelPaymentBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["malformed_body"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["not_cancellable"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /** @description Larger values are reduced to 100. */
                limit?: number;
                /** @description The `next` of another page of this list, read with the same filters. */
                after?: string;
                /** @description Received in the account of this customer of yours, or attached to the customer. */
                customer_reference?: string;
                /** @description Received in this account. */
                account_number?: string;
                /** @description That paid this payment session. */
                payment_reference?: string;
                /** @description That paid a session with your reference. */
                merchant_reference?: string;
                /** @description That this settlement settled, in the order in which they were recorded, oldest first. A page can have fewer than `limit`, or none, and not be the last: go on until `next` is null. Cannot be combined with another filter. */
                settlement_id?: string;
                /** @description Paid at or after this time, by the bank's clock. In a URL a `+` is sent as `%2B`; or use `Z`. */
                paid_from?: string;
                /** @description Paid before this time, by the bank's clock. */
                paid_to?: string;
                /** @description Of exactly this amount in naira, kobo included. */
                amount?: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionList"];
                };
            };
            400: components["responses"]["validation_failed_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            404: components["responses"]["not_found_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    getCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `reference` of the collection, `pay_…` or `col_…`. */
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            404: components["responses"]["not_found_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    listSettlements: {
        parameters: {
            query?: {
                /** @description Larger values are reduced to 100. */
                limit?: number;
                /** @description The `next` of another page of this list, read with the same filters. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementList"];
                };
            };
            400: components["responses"]["validation_failed_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    getSettlement: {
        parameters: {
            query?: {
                /** @description Larger values are reduced to 100. */
                limit?: number;
                /** @description The `next` of another page of this list, read with the same filters. */
                after?: string;
            };
            header?: never;
            path: {
                /** @description The settlement's `id`, `stl_…`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementWithLines"];
                };
            };
            400: components["responses"]["validation_failed_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            404: components["responses"]["not_found_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Returns the events that follow this sequence number. Begin with 0, and continue with `next`. */
                after_sequence?: number;
                /** @description Larger values are reduced to 100. */
                limit?: number;
                /** @description Seconds to wait if there are no such events yet, at most 50. The response comes with the next event of the log, or empty at the end. */
                wait?: number;
                /** @description Only events of this kind. `next` passes over the others. */
                type?: "collection.success" | "collection.attached" | "collection.reversed" | "transfer.success" | "transfer.failed" | "transfer.reversed" | "webhook.test";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            400: components["responses"]["validation_failed_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event's `id`, `evt_…`: the `webhook-id` of its deliveries. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            404: components["responses"]["not_found_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    replayEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event's `id`, `evt_…`: the `webhook-id` of its deliveries. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReplayEventBody"];
                "application/x-www-form-urlencoded": components["schemas"]["ReplayEventBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["malformed_body_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            404: components["responses"]["not_found_counted"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["no_webhook_url_counted"];
            413: components["responses"]["body_too_large_counted"];
            415: components["responses"]["unsupported_media_type_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    replayEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayEventsBody"];
                "application/x-www-form-urlencoded": components["schemas"]["ReplayEventsBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventReplay"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["insufficient_scope_or_address_not_allowed_or_verification_required_counted"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["replay_running_or_no_webhook_url_counted"];
            413: components["responses"]["body_too_large_counted"];
            415: components["responses"]["unsupported_media_type_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    simulatePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own key for the customer. */
                customer_reference: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulatePaymentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["SimulatePaymentBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationResult"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["test_key_required_or_insufficient_scope_or_address_not_allowed"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["account_retired"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    sandboxPay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxPayBody"];
                "application/x-www-form-urlencoded": components["schemas"]["SandboxPayBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationResult"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["test_key_required_or_insufficient_scope_or_address_not_allowed"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["account_retired"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    sandboxPlayScenario: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxPlayScenarioBody"];
                "application/x-www-form-urlencoded": components["schemas"]["SandboxPlayScenarioBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioResult"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["test_key_required_or_insufficient_scope_or_address_not_allowed"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["account_retired_or_no_webhook_url"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    sandboxSettle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SandboxSettleBody"];
                "application/x-www-form-urlencoded": components["schemas"]["SandboxSettleBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxSettlement"];
                };
            };
            400: components["responses"]["malformed_body"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["test_key_required_or_insufficient_scope_or_address_not_allowed"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    getTestClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClock"];
                };
            };
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["test_key_required_or_insufficient_scope_or_address_not_allowed_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    advanceTestClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AdvanceTestClockBody"];
                "application/x-www-form-urlencoded": components["schemas"]["AdvanceTestClockBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdvancedTestClock"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            403: components["responses"]["test_key_required_or_insufficient_scope_or_address_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["test_clock_advancing"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    getCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's `reference`, `pay_…`. */
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    giveCheckoutDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's `reference`, `pay_…`. */
                reference: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiveCheckoutDetailsBody"];
                "application/x-www-form-urlencoded": components["schemas"]["GiveCheckoutDetailsBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body"];
            403: components["responses"]["origin_not_allowed_or_verification_required_or_merchant_suspended"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["details_already_given_or_session_closed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["proof_required_or_rate_limited"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["provider_error"];
            503: components["responses"]["service_unavailable_or_amount_slots_exhausted"];
            504: components["responses"]["provider_timeout"];
        };
    };
    reportCheckoutSent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's `reference`, `pay_…`. */
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReportCheckoutSentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["ReportCheckoutSentBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            400: components["responses"]["malformed_body"];
            403: components["responses"]["origin_not_allowed"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    openCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenCheckoutBody"];
                "application/x-www-form-urlencoded": components["schemas"]["OpenCheckoutBody"];
            };
        };
        responses: {
            /** @description It already existed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedCheckout"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedCheckout"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body"];
            401: components["responses"]["invalid_api_key"];
            403: components["responses"]["verification_required_or_merchant_suspended"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["amount_over_limit"];
            429: components["responses"]["proof_required"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    collectionSuccess: {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the active signing secret. */
                "X-Service-Signature": string;
                /** @description The kind of event. */
                "X-Service-Event": string;
                /** @description The same number on every attempt and replay to one URL. */
                "X-Service-Delivery": string;
                /** @description Numbers your business's events consecutively in each mode: a gap is an event you have not received. */
                "X-Service-Sequence": string;
                /** @description The number of this attempt, starting at 1. */
                "X-Service-Attempt": string;
                /** @description As defined by Standard Webhooks, as are `webhook-timestamp` and `webhook-signature`. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, separated by spaces: one for each signing secret while you rotate the secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionSuccessEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    collectionAttached: {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the active signing secret. */
                "X-Service-Signature": string;
                /** @description The kind of event. */
                "X-Service-Event": string;
                /** @description The same number on every attempt and replay to one URL. */
                "X-Service-Delivery": string;
                /** @description Numbers your business's events consecutively in each mode: a gap is an event you have not received. */
                "X-Service-Sequence": string;
                /** @description The number of this attempt, starting at 1. */
                "X-Service-Attempt": string;
                /** @description As defined by Standard Webhooks, as are `webhook-timestamp` and `webhook-signature`. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, separated by spaces: one for each signing secret while you rotate the secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionAttachedEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    collectionReversed: {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the active signing secret. */
                "X-Service-Signature": string;
                /** @description The kind of event. */
                "X-Service-Event": string;
                /** @description The same number on every attempt and replay to one URL. */
                "X-Service-Delivery": string;
                /** @description Numbers your business's events consecutively in each mode: a gap is an event you have not received. */
                "X-Service-Sequence": string;
                /** @description The number of this attempt, starting at 1. */
                "X-Service-Attempt": string;
                /** @description As defined by Standard Webhooks, as are `webhook-timestamp` and `webhook-signature`. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, separated by spaces: one for each signing secret while you rotate the secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionReversedEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    transferSuccess: {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the active signing secret. */
                "X-Service-Signature": string;
                /** @description The kind of event. */
                "X-Service-Event": string;
                /** @description The same number on every attempt and replay to one URL. */
                "X-Service-Delivery": string;
                /** @description Numbers your business's events consecutively in each mode: a gap is an event you have not received. */
                "X-Service-Sequence": string;
                /** @description The number of this attempt, starting at 1. */
                "X-Service-Attempt": string;
                /** @description As defined by Standard Webhooks, as are `webhook-timestamp` and `webhook-signature`. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, separated by spaces: one for each signing secret while you rotate the secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferSuccessEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    transferFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the active signing secret. */
                "X-Service-Signature": string;
                /** @description The kind of event. */
                "X-Service-Event": string;
                /** @description The same number on every attempt and replay to one URL. */
                "X-Service-Delivery": string;
                /** @description Numbers your business's events consecutively in each mode: a gap is an event you have not received. */
                "X-Service-Sequence": string;
                /** @description The number of this attempt, starting at 1. */
                "X-Service-Attempt": string;
                /** @description As defined by Standard Webhooks, as are `webhook-timestamp` and `webhook-signature`. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, separated by spaces: one for each signing secret while you rotate the secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferFailedEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    transferReversed: {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the active signing secret. */
                "X-Service-Signature": string;
                /** @description The kind of event. */
                "X-Service-Event": string;
                /** @description The same number on every attempt and replay to one URL. */
                "X-Service-Delivery": string;
                /** @description Numbers your business's events consecutively in each mode: a gap is an event you have not received. */
                "X-Service-Sequence": string;
                /** @description The number of this attempt, starting at 1. */
                "X-Service-Attempt": string;
                /** @description As defined by Standard Webhooks, as are `webhook-timestamp` and `webhook-signature`. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, separated by spaces: one for each signing secret while you rotate the secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferReversedEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the active signing secret. */
                "X-Service-Signature": string;
                /** @description The kind of event. */
                "X-Service-Event": string;
                /** @description The same number on every attempt and replay to one URL. */
                "X-Service-Delivery": string;
                /** @description Numbers your business's events consecutively in each mode: a gap is an event you have not received. */
                "X-Service-Sequence": string;
                /** @description The number of this attempt, starting at 1. */
                "X-Service-Attempt": string;
                /** @description As defined by Standard Webhooks, as are `webhook-timestamp` and `webhook-signature`. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, separated by spaces: one for each signing secret while you rotate the secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endpointChallenge: {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the active signing secret. */
                "X-Service-Signature": string;
                /** @description The kind of event. */
                "X-Service-Event": string;
                /** @description As defined by Standard Webhooks, as are `webhook-timestamp` and `webhook-signature`. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, separated by spaces: one for each signing secret while you rotate the secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndpointChallengeEvent"];
            };
        };
        responses: {
            /** @description The challenge. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
