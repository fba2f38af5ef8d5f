import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";

/**
 * How much of a file a client has to read while it is waited for, within which time, and how long all of it may take. A file
 * occupies one of few slots while it is written.
 */
export type ReadLimits = { idleMs: number; bytesMin: number; totalMs: number };
export const READ_LIMITS: ReadLimits = { idleMs: 20_000, bytesMin: 32 * 1024, totalMs: 60 * 60_000 };

/** How often within `idleMs` the progress is looked at. */
const LOOKS = 30;
/** A buffer is written in pieces, or none of it would count as read before all of it is. */
const PIECE_BYTES = 16 * 1024;

/**
 * Writes a file as fast as the client reads it. The connection of one that reads too slowly is closed, as after any failure from the
 * first byte on, so that a part is not mistaken for the whole. Resolves once the system has all of it.
 */
export async function writeFile(
  response: Response,
  streams: [Readable, ...Transform[]],
  limits: ReadLimits,
): Promise<void> {
  const watch = watchReader(response, limits);
  try {
    await pipeline([...streams, response]);
  } catch (error) {
    throw watch.disconnected()
      ? new Error("The client read too slowly and was disconnected.", { cause: error })
      : error;
  } finally {
    watch.end();
  }
}

export function inPieces(file: Buffer): Readable {
  const pieces = Array.from({ length: Math.ceil(file.length / PIECE_BYTES) }, (_, place) =>
    file.subarray(place * PIECE_BYTES, (place + 1) * PIECE_BYTES),
  );
  return Readable.from(pieces);
}

function watchReader(response: Response, { idleMs, bytesMin, totalMs }: ReadLimits) {
  const { socket } = response;
  const readBytes = () => (socket ? socket.bytesWritten - socket.writableLength : 0);
  let last = { bytes: readBytes(), at: performance.now() };
  let isTooSlow = false;
  const disconnect = () => {
    isTooSlow = true;
    response.destroy();
  };
  const look = () => {
    const bytes = readBytes();
    const at = performance.now();
    // With nothing left to write it is the client that waits.
    if (response.writableLength === 0 || bytes - last.bytes >= bytesMin) last = { bytes, at };
    else if (at - last.at >= idleMs) disconnect();
  };
  const timers = [setInterval(look, idleMs / LOOKS), setTimeout(disconnect, totalMs)];
  return {
    disconnected: () => isTooSlow,
    end: () => timers.forEach(clearTimeout),
  };
}
