import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ConfigurationProblem } from '@stickler/core'
import type { WrittenUpstream } from '../../upstreams/settings/written-upstream.ts'
import { memberOf, recordsOf } from './plain-data.ts'

/** Finds folders of commands that are not there; names are relative to `base`. */
export async function checkCommandFolders(data: unknown, base: string): Promise<ConfigurationProblem[]> {
  const found = await Promise.all(
    recordsOf(memberOf(data, 'upstreams')).map(async ([index, { cwd }]): Promise<ConfigurationProblem[]> => {
      if (typeof cwd !== 'string' || cwd === '' || (await isFolder(resolve(base, cwd)))) return []
      return [{ message: `there is no folder ${cwd}`, path: ['upstreams', index, 'cwd'] }]
    }),
  )
  return found.flat()
}

/** The upstreams with the full paths of their folders. */
export function withCommandFolders(upstreams: readonly WrittenUpstream[], base: string): WrittenUpstream[] {
  return upstreams.map((upstream) =>
    'cwd' in upstream && typeof upstream.cwd === 'string' ? { ...upstream, cwd: resolve(base, upstream.cwd) } : upstream,
  )
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
