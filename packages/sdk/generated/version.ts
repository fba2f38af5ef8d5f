// Written by `npm run document`.

export const VERSION = "1.0.0";
