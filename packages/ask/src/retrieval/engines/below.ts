import { storedText } from './stored-text.ts'

/** A path as it is compared, without the slash at its end. */
export function folderPath(path: string): string {
  return storedText(path.endsWith('/') ? path.slice(0, -1) : path)
}

/** Whether a path is the same as another or below it; everything is below `''`. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}
