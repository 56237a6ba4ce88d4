// A tar archive of files, as one Blob. The browser reads the files only while it sends them.
import { END_BYTES, paddedSize, tarHeaders } from '../../../../../src/import/tar/format.ts'

export function archiveOf(files: File[]): Blob {
  const parts = files.flatMap((file) => [
    tarHeaders(file.name, file.size),
    file,
    new Uint8Array(paddedSize(file.size) - file.size),
  ])
  return new Blob([...parts, new Uint8Array(END_BYTES)])
}
