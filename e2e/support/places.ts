import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where this process runs the docs: inside the repository, so that modules find its packages. */
export const docsRun = join(root, '.docs-run', String(process.pid))

/** An empty folder outside the repository that is removed with the test. */
export async function scratchFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'stickler-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes files below a folder, making the folders between. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}
