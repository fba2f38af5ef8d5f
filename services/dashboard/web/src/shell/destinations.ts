type Destination = { label: string; path: string };

const NUMBER = /^[0-9]{1,15}$/;
const REQUEST_ID = /^(req_.+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{4,})$/i;
const LINK_SLUG = /^(?![0-9]+$)[1-9A-HJ-NP-Za-km-z]{10}$/;

/** Possible destinations for the typed text: a reference identifies its record, anything else is searched for. */
export function destinationsOf(typed: string): Destination[] {
  const numbered = NUMBER.test(typed)
    ? [
        { label: `Open delivery ${typed}`, path: `developers/deliveries/${typed}` },
        { label: `Open event ${typed}`, path: `developers/events/${typed}` },
      ]
    : [];
  if (typed.length < 3) return numbered;
  const exact = encodeURIComponent(typed);
  if (/^trf_/.test(typed)) return [{ label: `Open transfer ${typed}`, path: `transfers/${exact}` }];
  if (/^col_/.test(typed)) return [{ label: `Open collection ${typed}`, path: `collections/${exact}` }];
  if (/^pay_/.test(typed)) {
    return [
      { label: `Open session ${typed}`, path: `sessions/${exact}` },
      { label: `Open collection ${typed}`, path: `collections/${exact}` },
    ];
  }
  if (/^stl_/.test(typed)) return [{ label: `Open settlement ${typed}`, path: `settlements/${exact}` }];
  const search = `?search=${exact}`;
  const requests = { label: `API requests with “${typed}”`, path: `developers/requests${search}` };
  if (REQUEST_ID.test(typed)) return [requests];
  return [
    ...numbered,
    { label: `Collections with “${typed}”`, path: `collections${search}` },
    { label: `Customers with “${typed}”`, path: `customers${search}` },
    { label: `Sessions with “${typed}”`, path: `sessions${search}` },
    { label: `Transfers with “${typed}”`, path: `transfers${search}` },
    { label: `Events with “${typed}”`, path: `developers/events${search}` },
    { label: `Deliveries with “${typed}”`, path: `developers/deliveries${search}` },
    requests,
    ...(LINK_SLUG.test(typed) ? [{ label: `Open link ${typed}`, path: `links/${exact}` }] : []),
  ];
}
