import { FileFault, readRegularFile } from '@stickler/node/internal/files'

/** Catalogues and certificates are smaller. */
const largestFile = 4 * 1024 * 1024

/** Reads a file that the configuration names; any problem is a configuration error. */
export async function readText(file: string, wrong: (message: string) => Error): Promise<string> {
  try {
    return await readRegularFile(file, largestFile)
  } catch (error) {
    const because =
      error instanceof FileFault ? error.message : error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw wrong(`cannot read ${file}: ${because}`)
  }
}
