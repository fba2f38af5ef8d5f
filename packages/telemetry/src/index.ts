/** What a process shows of itself: metrics and traces. */
export {};
