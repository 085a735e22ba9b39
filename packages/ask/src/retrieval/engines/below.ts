import { storedText } from './stored-text.ts'

/** A path as it is compared, without the slash at its end. */
export function folderPath(path: string): string {
  return storedText(path.endsWith('/') ? path.slice(0, -1) : path)
}
