/** The proof: the challenge, a dot and the number that solves it. */
export function solve(puzzle: { challenge: string; difficulty: number }): Promise<string>;
