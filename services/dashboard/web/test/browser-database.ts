/** The browser's database: jsdom has none. */
export function keepInMemory(): void {
  const kept = new Map<string, unknown>();
  const request = (result: unknown) => {
    const made = { result, onsuccess() {} };
    queueMicrotask(() => made.onsuccess());
    return made;
  };
  const store = {
    get: (key: string) => request(kept.get(key)),
    add: (value: unknown, key: string) => request(kept.set(key, value)),
  };
  const database = { transaction: () => ({ objectStore: () => store }) };
  Object.assign(globalThis, { indexedDB: { open: () => request(database) } });
}
