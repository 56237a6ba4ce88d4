// Releases the memory of sent chunks early.

/** Frees the memory of a used chunk immediately, without waiting for garbage collection. */
export function releaseChunk(chunk: Uint8Array): void {
  const { buffer } = chunk
  // A chunk that is only a part of a buffer can share it with others.
  if (chunk.byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
