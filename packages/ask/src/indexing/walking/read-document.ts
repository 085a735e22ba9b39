import { realpath } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { readRegularBytes } from '@stickler/node/files'
import { whyUnread } from './why-unread.ts'

/** Larger files are skipped, in bytes. */
export const largestDocument = 2 * 1024 * 1024

/** Files that may consist of letters, but have no text that can be cited by line. */
const drawn: ReadonlyMap<string, string> = new Map([
  ['.pdf', 'it is a PDF file, not text'],
  ['.ps', 'it is a PostScript file, not text'],
  ['.eps', 'it is a PostScript file, not text'],
  ['.svg', 'it is a picture, not text'],
])

/** The text of a file, or why it cannot be indexed. */
export type ReadDocument = { readonly text: string } | { readonly skipped: string }

/**
 * Reads a file below a folder as text. Files that are not UTF-8 are skipped: with characters
 * replaced, a citation would misquote the file.
 */
export async function readDocument(root: string, path: string): Promise<ReadDocument> {
  const file = path === '' ? root : join(root, path)
  const picture = drawn.get(extname(file).toLowerCase())
  if (picture !== undefined) return { skipped: picture }
  let bytes: Uint8Array
  try {
    bytes = await readRegularBytes(file, largestDocument)
    // A parent folder may have become a link since it was listed.
    if ((await realpath(file)) !== file) return { skipped: 'it is a symbolic link, and links are not followed' }
  } catch (error) {
    return { skipped: whyUnread(error, path) }
  }
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return { skipped: 'it is UTF-16, not UTF-8' }
  if (bytes.includes(0)) return { skipped: 'it is a binary file' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { skipped: 'it is not UTF-8' }
  }
}
