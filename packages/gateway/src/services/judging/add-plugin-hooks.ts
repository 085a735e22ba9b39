import * as nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { resolve } from './plugin-hooks.ts'

/** Newer than the types that are used here; hooks in a thread of their own are deprecated where it exists. */
const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: typeof resolve }) => void }

/** Lets modules that are imported from now on find `@stickler/core` and `zod`, and plugins by the file that names them. */
export function addPluginHooks(): void {
  if (registerHooks !== undefined) registerHooks({ resolve })
  else nodeModule.register(hooksFile(), { data: { own: import.meta.url } })
}

/** The hooks are a module of their own in the build, which a bundle is not. */
function hooksFile(): URL {
  const root = dirname(nodeModule.createRequire(import.meta.url).resolve('@stickler/gateway/package.json'))
  return pathToFileURL(join(root, 'dist/services/judging/plugin-hooks.js'))
}
