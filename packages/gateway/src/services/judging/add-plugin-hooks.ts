import * as nodeModule from 'node:module'
import { resolve } from './plugin-hooks.ts'

/** Newer than the types that are used here; hooks in a thread of their own are deprecated where it exists. */
const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: typeof resolve }) => void }

/** Lets modules that are imported from now on find `@stickler/core` and `zod`, and plugins by the file that names them. */
export function addPluginHooks(): void {
  if (registerHooks !== undefined) registerHooks({ resolve })
  else nodeModule.register('./plugin-hooks.js', import.meta.url, { data: { own: import.meta.url } })
}
