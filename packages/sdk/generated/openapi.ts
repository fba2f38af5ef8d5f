// Written by `npm run document` from openapi.json.

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the name and version of the API and the endpoints that a secret key can call. Needs no key. */
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
         * @description Counts against the merchant's 600 reads in any 60 minutes.
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
         * @description Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["listCustomerAccounts"];
        put?: never;
        /**
         * Issues a customer's permanent account number, or returns the existing one.
         * @description 201 when it is created, 200 with its current state when it already exists. 300 calls in any 60 minutes, successful or not.
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
         * @description Counts against the merchant's 600 reads in any 60 minutes.
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
        get?: never;
        put?: never;
        /**
         * Creates a payment session, or returns the one created with the same reference.
         * @description 201 when it is created, 200 with its current state when it already exists.
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
         * @description Counts against the merchant's 600 reads in any 60 minutes.
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
        /** Not available yet: USDT requires an exchange partner. */
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
         * @description Counts against the merchant's 600 reads in any 60 minutes.
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
         * Returns the name of a bank account's holder.
         * @description 60 calls in any 60 minutes, successful or not.
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
         * @description Counts against the merchant's 600 reads in any 60 minutes.
         */
        get: operations["listTransfers"];
        put?: never;
        /**
         * Sends money from Settled to a bank account, once for each reference.
         * @description 201 when it is created, 200 with its current state when it already exists.
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
         * @description Counts against the merchant's 600 reads in any 60 minutes.
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
         * @description Test keys only.
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
         * @description Test keys only.
         */
        post: operations["sandboxPay"];
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
         * @description At most 240 calls a minute per session, across all callers.
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
         * Stores the payer's name and email, after which the session shows its account.
         * @description At most 20 calls a minute per session, across all callers.
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
         * @description At most 20 calls a minute per session, across all callers.
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
         * @description 201 when it is created, 200 with its current state when it already exists. At most 600 calls a minute per merchant, across all callers.
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
         * @description Verify the signature over the raw body before reading it, and credit each `data.reference` once. Without a 2xx response within 15 seconds it is retried for about 72 hours.
         */
        post: operations["collectionSuccess"];
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
         * @description Verify the signature over the raw body before reading it, and credit nothing. Without a 2xx response within 15 seconds it is retried for about 72 hours.
         */
        post: operations["webhookTest"];
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
            /** @enum {string} */
            mode: "test" | "live";
            /** @constant */
            currency: "NGN";
            collected: number;
            settled: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            as_of: string;
            ledger_sequence: number;
        };
        /**
         * @example {
         *       "customer_reference": "cust_42",
         *       "customer_name": "Ngozi Eze",
         *       "account_number": "0000000419",
         *       "account_name": "Ada Stores / Ngozi Eze",
         *       "bank_name": "Test Bank",
         *       "status": "active",
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
            customer_name: string;
            account_number: string;
            account_name: string;
            bank_name: string;
            /** @enum {string} */
            status: "active" | "retired";
            /** @enum {string} */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "customer_reference": "cust_42",
         *           "customer_name": "Ngozi Eze",
         *           "account_number": "0000000419",
         *           "account_name": "Ada Stores / Ngozi Eze",
         *           "bank_name": "Test Bank",
         *           "status": "active",
         *           "mode": "test",
         *           "created_at": "2026-11-21T09:30:00.123+00:00"
         *         }
         *       ],
         *       "limit": 20,
         *       "offset": 0,
         *       "has_more": false,
         *       "mode": "test"
         *     }
         */
        CustomerAccountList: {
            data: components["schemas"]["CustomerAccount"][];
            limit: number;
            offset: number;
            has_more: boolean;
            /** @enum {string} */
            mode: "test" | "live";
        };
        /**
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
         *       "mode": "test"
         *     }
         */
        Payment: {
            /** @example pay_7Yk3pQ2mVd9sRw4tXb6nLc */
            reference: string;
            merchant_reference: string | null;
            /** @enum {string} */
            status: "pending" | "processing" | "paid" | "underpaid" | "overpaid" | "expired" | "paid_late";
            /** @description Naira, at most two decimals. */
            amount: number;
            /** @description Naira, at most two decimals. */
            amount_requested: number;
            /** @description Naira, at most two decimals. */
            amount_received: number;
            /** @constant */
            currency: "NGN";
            account_number: string;
            account_name: string;
            bank_name: string;
            /** Format: uri */
            checkout_url: string;
            collects: "bank_transfer"[];
            customer_reference: string | null;
            customer_name: string | null;
            description: string | null;
            redirect_url: string | null;
            collections: {
                reference: string;
                /** @description Naira, at most two decimals. */
                amount: number;
                /** @description Naira, at most two decimals. */
                fee: number;
                /** @description Naira, at most two decimals. */
                net: number;
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.123+00:00
                 */
                paid_at: string;
            }[];
            details_required: boolean;
            /** @enum {string} */
            opened_by: "secret_key" | "public_key" | "payment_link";
            payment_link: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            paid_at: string | null;
            /** @enum {string} */
            mode: "test" | "live";
        };
        /**
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
            data: components["schemas"]["Bank"][];
            /** @enum {string} */
            mode: "test" | "live";
        };
        /**
         * @example {
         *       "code": "000",
         *       "name": "Test Bank",
         *       "type": "test_bank"
         *     }
         */
        Bank: {
            code: string;
            name: string;
            type: string;
        };
        /**
         * @example {
         *       "bank_code": "000",
         *       "account_number": "0000000110",
         *       "bank_name": "Test Bank",
         *       "account_name": "Adaeze Bello",
         *       "mode": "test"
         *     }
         */
        ResolvedAccount: {
            bank_code: string;
            bank_name: string;
            account_number: string;
            account_name: string;
            /** @enum {string} */
            mode: "test" | "live";
        };
        /**
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
         *       "mode": "test",
         *       "created_at": "2026-11-22T08:15:30.250+00:00",
         *       "completed_at": "2026-11-22T08:15:31.940+00:00"
         *     }
         */
        Transfer: {
            /** @example trf_4Hq8wZ1cTn5kYx7pRj2mVb */
            reference: string;
            merchant_reference: string;
            /** @enum {string} */
            status: "pending" | "success" | "failed" | "reversed";
            /** @description Naira, at most two decimals. */
            amount: number;
            /** @description Naira, at most two decimals. */
            fee: number;
            /** @constant */
            currency: "NGN";
            bank_code: string;
            bank_name: string;
            account_number: string;
            account_name: string;
            narration: string | null;
            failure_code: string | null;
            failure_reason: string | null;
            /** @enum {string} */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            completed_at: string | null;
        };
        /**
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
         *           "mode": "test",
         *           "created_at": "2026-11-22T08:15:30.250+00:00",
         *           "completed_at": "2026-11-22T08:15:31.940+00:00"
         *         }
         *       ],
         *       "limit": 20,
         *       "offset": 0,
         *       "has_more": false,
         *       "mode": "test"
         *     }
         */
        TransferList: {
            data: components["schemas"]["Transfer"][];
            limit: number;
            offset: number;
            has_more: boolean;
            /** @enum {string} */
            mode: "test" | "live";
        };
        /**
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
            /** @enum {string} */
            outcome: "paid" | "underpaid" | "overpaid" | "expired";
            credited: boolean;
            reference: string;
            /** @description Naira, at most two decimals. */
            amount: number;
            account_number: string;
            message: string;
            /** @enum {string} */
            mode: "test" | "live";
        };
        /**
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
            reference: string;
            /** @enum {string} */
            status: "pending" | "processing" | "paid" | "underpaid" | "overpaid" | "expired" | "paid_late";
            /** @enum {string} */
            mode: "test" | "live";
            merchant_name: string;
            description: string | null;
            /** @description Naira, at most two decimals. */
            amount: number;
            /** @description Naira, at most two decimals. */
            amount_requested: number;
            /** @description Naira, at most two decimals. */
            amount_received: number;
            /** @constant */
            currency: "NGN";
            account_number: string | null;
            account_name: string | null;
            bank_name: string | null;
            details_required: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            server_time: string;
            return_url: string | null;
            poll_after_ms: number;
        };
        /**
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
         *       "account_number": null,
         *       "account_name": null,
         *       "bank_name": null,
         *       "details_required": true,
         *       "expires_at": "2026-11-21T10:00:00.123+00:00",
         *       "server_time": "2026-11-21T09:30:00.123+00:00",
         *       "return_url": null,
         *       "poll_after_ms": 3000,
         *       "checkout_url": "https://checkout.example.com/pay/pay_7Yk3pQ2mVd9sRw4tXb6nLc",
         *       "merchant_reference": "order-1001"
         *     }
         */
        OpenedCheckout: {
            reference: string;
            /** @enum {string} */
            status: "pending" | "processing" | "paid" | "underpaid" | "overpaid" | "expired" | "paid_late";
            /** @enum {string} */
            mode: "test" | "live";
            merchant_name: string;
            description: string | null;
            /** @description Naira, at most two decimals. */
            amount: number;
            /** @description Naira, at most two decimals. */
            amount_requested: number;
            /** @description Naira, at most two decimals. */
            amount_received: number;
            /** @constant */
            currency: "NGN";
            account_number: string | null;
            account_name: string | null;
            bank_name: string | null;
            details_required: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            server_time: string;
            return_url: string | null;
            poll_after_ms: number;
            /** Format: uri */
            checkout_url: string;
            merchant_reference: string | null;
        };
        ServiceIndex: {
            name: string;
            /** @constant */
            version: "v1";
            /** @description Null until there is a public URL. */
            docs: string | null;
            endpoints: string[];
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            /** @description For people to read; may change. */
            detail: string;
            /**
             * @description For programs to rely on; stable.
             * @enum {string}
             */
            code: "validation_failed" | "malformed_body" | "invalid_api_key" | "secret_key_required" | "test_key_required" | "not_found" | "method_not_allowed" | "request_timeout" | "account_retired" | "details_already_given" | "reference_conflict" | "body_too_large" | "unsupported_media_type" | "amount_over_limit" | "insufficient_balance" | "account_unresolved" | "rate_limited" | "internal_error" | "crypto_unavailable" | "provider_error" | "service_unavailable" | "amount_slots_exhausted" | "provider_timeout";
            /** @description The same as in X-Request-Id. */
            request_id: string;
            /**
             * @description Present once the key was recognized.
             * @enum {string}
             */
            mode?: "test" | "live";
            /** @description The invalid fields, with validation_failed. */
            errors?: {
                param: string;
                code: string;
                message: string;
            }[];
        };
        /**
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
         *         "merchant_reference": "order-1001"
         *       }
         *     }
         */
        CollectionSuccessEvent: {
            /** @constant */
            event: "collection.success";
            /** @enum {string} */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            data: {
                reference: string;
                /** @description Naira, at most two decimals. */
                amount: number;
                /** @description Naira, at most two decimals. */
                fee: number;
                /** @description Naira, at most two decimals. */
                net: number;
                /** @constant */
                currency: "NGN";
                /** @constant */
                rail: "bank";
                customer_reference: string | null;
                customer_name: string | null;
                account_number: string;
                payer_name: string;
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.123+00:00
                 */
                paid_at: string;
                /** @description The payment session that the transfer paid; null if it paid none, for example because it was sent before one was created. */
                payment_reference: string | null;
                merchant_reference: string | null;
            };
        };
        /**
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
         *         "mode": "test",
         *         "created_at": "2026-11-22T08:15:30.250+00:00",
         *         "completed_at": "2026-11-22T08:15:31.940+00:00"
         *       }
         *     }
         */
        TransferSuccessEvent: {
            /** @constant */
            event: "transfer.success";
            /** @enum {string} */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            data: components["schemas"]["Transfer"];
        };
        /**
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
         *         "mode": "test",
         *         "created_at": "2026-11-22T08:15:30.250+00:00",
         *         "completed_at": "2026-11-22T08:15:31.940+00:00"
         *       }
         *     }
         */
        TransferFailedEvent: {
            /** @constant */
            event: "transfer.failed";
            /** @enum {string} */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            data: components["schemas"]["Transfer"];
        };
        /**
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
         *         "mode": "test",
         *         "created_at": "2026-11-22T08:15:30.250+00:00",
         *         "completed_at": "2026-11-22T08:15:31.940+00:00"
         *       }
         *     }
         */
        TransferReversedEvent: {
            /** @constant */
            event: "transfer.reversed";
            /** @enum {string} */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            data: components["schemas"]["Transfer"];
        };
        /**
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
            /** @constant */
            event: "webhook.test";
            /** @enum {string} */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.123+00:00
             */
            created_at: string;
            data: {
                message: string;
                reference: string;
            };
        };
        /**
         * @example {
         *       "customer_reference": "cust_42",
         *       "customer_name": "Ngozi Eze"
         *     }
         */
        IssueCustomerAccountBody: {
            /**
             * @description Your own key for the customer.
             * @example cust_42
             */
            customer_reference: string;
            /** @description Required the first time a `customer_reference` is used. */
            customer_name?: string;
        };
        /**
         * @example {
         *       "amount": 2500,
         *       "reference": "order-1001",
         *       "customer_reference": "cust_42",
         *       "customer_name": "Ngozi Eze",
         *       "description": "Two bags of rice",
         *       "redirect_url": "https://shop.example.com/thanks?order=1001"
         *     }
         */
        OpenPaymentBody: {
            /** @description Naira, at most two decimals. */
            amount: number;
            /**
             * @description Your own id; it makes the call idempotent.
             * @example order-1001
             */
            reference?: string;
            /**
             * @description Your own key for the customer.
             * @example cust_42
             */
            customer_reference?: string;
            customer_name?: string;
            description?: string;
            redirect_url?: string;
        };
        /**
         * @example {
         *       "amount": 2500,
         *       "reference": "order-1001",
         *       "customer_reference": "cust_42",
         *       "customer_name": "Ngozi Eze",
         *       "description": "Two bags of rice",
         *       "redirect_url": "https://shop.example.com/thanks?order=1001"
         *     }
         */
        OpenCryptoPaymentBody: {
            /** @description Naira, at most two decimals. */
            amount: number;
            /**
             * @description Your own id; it makes the call idempotent.
             * @example order-1001
             */
            reference?: string;
            /**
             * @description Your own key for the customer.
             * @example cust_42
             */
            customer_reference?: string;
            customer_name?: string;
            description?: string;
            redirect_url?: string;
        };
        /**
         * @example {
         *       "bank_code": "000",
         *       "account_number": "0000000110"
         *     }
         */
        ResolveAccountBody: {
            bank_code: string;
            account_number: string;
        };
        /**
         * @example {
         *       "amount": 1000,
         *       "bank_code": "000",
         *       "account_number": "0000000110",
         *       "reference": "payout-7",
         *       "narration": "Invoice 7"
         *     }
         */
        CreateTransferBody: {
            /** @description Naira, at most two decimals. */
            amount: number;
            bank_code: string;
            account_number: string;
            /**
             * @description Your own id; it makes the call idempotent.
             * @example order-1001
             */
            reference: string;
            narration?: string;
        };
        /**
         * @example {
         *       "outcome": "paid"
         *     }
         */
        SimulatePaymentBody: {
            /** @enum {string} */
            outcome: "paid" | "underpaid" | "overpaid" | "expired";
            /** @description The amount owed, of which the outcome decides what is sent. By default what the newest open session lacks. */
            amount?: number;
            payer_name?: string;
        };
        /**
         * @example {
         *       "outcome": "paid",
         *       "payment_reference": "pay_7Yk3pQ2mVd9sRw4tXb6nLc"
         *     }
         */
        SandboxPayBody: {
            /** @enum {string} */
            outcome: "paid" | "underpaid" | "overpaid" | "expired";
            /** @description The exact amount of the newest open session to pay. Either this or `payment_reference` is required. */
            amount?: number;
            /** @description The session to pay, `pay_…`. Either this or `amount` is required. */
            payment_reference?: string;
            /** @description Naira, at most two decimals. */
            amount_sent?: number;
            payer_name?: string;
        };
        /**
         * @example {
         *       "name": "Ngozi Eze",
         *       "email": "ngozi@example.com"
         *     }
         */
        GiveCheckoutDetailsBody: {
            name: string;
            email: string;
        };
        /** @example {} */
        ReportCheckoutSentBody: Record<string, never>;
        /**
         * @example {
         *       "amount": 2500,
         *       "reference": "order-1001",
         *       "description": "Two bags of rice",
         *       "redirect_url": "https://shop.example.com/thanks?order=1001"
         *     }
         */
        OpenCheckoutBody: {
            /** @description Naira, at most two decimals. */
            amount: number;
            /**
             * @description Your own id; it makes the call idempotent.
             * @example order-1001
             */
            reference?: string;
            description?: string;
            redirect_url?: string;
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
        account_unresolved_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
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
        /** @description `insufficient_balance`: The settled balance is too low. `account_unresolved`: The bank account could not be found. */
        insufficient_balance_or_account_unresolved: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {string} */
                    code?: "insufficient_balance" | "account_unresolved";
                };
            };
        };
        /** @description `test_key_required`: A test key is required. */
        test_key_required: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "test_key_required";
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
        /** @description `details_already_given`: Different details were already provided. */
        details_already_given_counted: {
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
                    code?: "details_already_given";
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
        /** @description `amount_over_limit`: The amount is above the limit. */
        amount_over_limit_counted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
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
        /** @description `service_unavailable`: Temporarily unavailable. `amount_slots_exhausted`: No unique amount is available for this price. */
        service_unavailable_or_amount_slots_exhausted_counted: {
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
                    code?: "service_unavailable" | "amount_slots_exhausted";
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
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    listCustomerAccounts: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
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
            400: components["responses"]["validation_failed_or_malformed_body_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
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
            404: components["responses"]["not_found_counted"];
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
                    "application/json": components["schemas"]["Payment"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["account_retired"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["amount_over_limit"];
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
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedAccount"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body_counted"];
            401: components["responses"]["invalid_api_key_or_secret_key_required"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large_counted"];
            415: components["responses"]["unsupported_media_type_counted"];
            422: components["responses"]["account_unresolved_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            502: components["responses"]["provider_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
            504: components["responses"]["provider_timeout_counted"];
        };
    };
    listTransfers: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "pending" | "success" | "failed" | "reversed" | "all";
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
            408: components["responses"]["request_timeout"];
            409: components["responses"]["reference_conflict"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["insufficient_balance_or_account_unresolved"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["provider_error"];
            503: components["responses"]["service_unavailable"];
            504: components["responses"]["provider_timeout"];
        };
    };
    getTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
            404: components["responses"]["not_found_counted"];
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
            403: components["responses"]["test_key_required"];
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
            403: components["responses"]["test_key_required"];
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
    getCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            404: components["responses"]["not_found_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    giveCheckoutDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body_counted"];
            404: components["responses"]["not_found_counted"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["details_already_given_counted"];
            413: components["responses"]["body_too_large_counted"];
            415: components["responses"]["unsupported_media_type_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
        };
    };
    reportCheckoutSent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            400: components["responses"]["malformed_body_counted"];
            404: components["responses"]["not_found_counted"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large_counted"];
            415: components["responses"]["unsupported_media_type_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            503: components["responses"]["service_unavailable_counted"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedCheckout"];
                };
            };
            400: components["responses"]["validation_failed_or_malformed_body_counted"];
            401: components["responses"]["invalid_api_key"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large_counted"];
            415: components["responses"]["unsupported_media_type_counted"];
            422: components["responses"]["amount_over_limit_counted"];
            429: components["responses"]["rate_limited_counted"];
            500: components["responses"]["internal_error_counted"];
            502: components["responses"]["provider_error_counted"];
            503: components["responses"]["service_unavailable_or_amount_slots_exhausted_counted"];
            504: components["responses"]["provider_timeout_counted"];
        };
    };
    collectionSuccess: {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the signing secret. */
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
    transferSuccess: {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the signing secret. */
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
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the signing secret. */
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
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the signing secret. */
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
                /** @description HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the signing secret. */
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
}
