import { Money } from "../components/money.tsx";

/** An amount as the services give it to operators. */
export const Kobo = ({ kobo }: { kobo: string | bigint }) => <Money naira={Number(kobo) / 100} />;
