// Memory of bytes on their way out.

/** Gives the memory of a chunk that has been used back at once, instead of when the collector comes by. */
export function release(chunk: Uint8Array): void {
  const { buffer } = chunk
  // A chunk that is a part of something larger may share it with others.
  if (chunk.byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
