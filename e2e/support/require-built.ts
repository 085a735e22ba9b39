import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../packages/', import.meta.url))
/** Folders that the build leaves out. */
const unbuilt = /(?:^|[/\\])(?:testing|faults|clients)[/\\]|\.test(?:-d)?\.ts$/

/** Throws when threads and child processes would run an old build: they load built files, since Node 20 cannot load TypeScript. */
export function requireBuilt(names: readonly string[], folder = packages): void {
  for (const name of names) {
    const built = timeOf(join(folder, name, 'dist', '.tsbuildinfo'))
    const sources = join(folder, name, 'src')
    const newer = readdirSync(sources, { recursive: true, encoding: 'utf8' }).find(
      (path) => /\.tsx?$/.test(path) && !unbuilt.test(path) && timeOf(join(sources, path)) > built,
    )
    if (newer !== undefined) throw new Error(`packages/${name}/src/${newer} is newer than the build that the test runs: npm run build`)
  }
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
