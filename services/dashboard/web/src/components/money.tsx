/** Naira as the API gives it, with kobo always shown: ₦2,500.73. */
export function money(naira: number): string {
  const digits = Math.abs(naira).toLocaleString("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${naira < 0 ? "−" : ""}₦${digits}`;
}

export function Money({ naira }: { naira: number }) {
  return <span className="money">{money(naira)}</span>;
}
