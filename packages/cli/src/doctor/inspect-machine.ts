import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { GatewayConfig } from '@stickler/gateway'
import { broken, type DoctorFinding, doubtful, fine } from './finding.ts'

const least = [20, 19] as const
const littleSpace = 512 * 1024 * 1024

/** Checks the version of Node. */
export function inspectNode(version: string): DoctorFinding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > least[0] || (major === least[0] && minor >= least[1])
  return isNew ? fine('node', version) : broken('node', version, `install Node ${least.join('.')} or newer`)
}

/** Checks the free space where runs are recorded. */
export async function inspectDisk({ store }: GatewayConfig): Promise<DoctorFinding[]> {
  const free = await freeBytes(store.folder)
  if (free === undefined) return []
  const shown = `${Math.floor(free / (1024 * 1024))} MB are free at ${store.folder}`
  return [free < littleSpace ? doubtful('disk', shown, 'free some space, or lower store.retentionDays') : fine('disk', shown)]
}

/** Checks that the folders needed by file checks exist. */
export async function inspectRoots({ routes }: GatewayConfig): Promise<DoctorFinding[]> {
  const roots = [...new Set(routes.flatMap(({ root }) => (root === undefined ? [] : [root])))]
  return Promise.all(
    roots.map(async (root) => {
      const isFolder = await stat(root).then(
        (found) => found.isDirectory(),
        () => false,
      )
      return isFolder ? fine('root', root) : broken('root', `there is no folder ${root}`, 'create it, or correct the `root` of the route')
    }),
  )
}

/** Of the folder, or of its nearest existing parent. */
async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return dirname(folder) === folder ? undefined : freeBytes(dirname(folder))
  }
}
