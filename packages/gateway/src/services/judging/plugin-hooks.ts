import { systemCode } from '@stickler/core/internal'

/** The part of Node's hooks that is used. */
interface ResolveContext {
  readonly parentURL?: string | undefined
}
type Resolved = object | Promise<object>
type NextResolve = (specifier: string, context: ResolveContext) => Resolved

/** A specifier of a plugin, relative to the file that names it. */
export const pluginScheme = 'stickler-plugin:'

/** Plugins import these, and their authors may have installed the command alone. */
const ours = /^(?:@stickler\/core|zod)(?:\/|$)/

let own = import.meta.url

/** Called once where hooks run in a separate thread. */
export function initialize(data: { readonly own: string }): void {
  own = data.own
}

/** Finds modules as Node does; where it finds no `@stickler/core` or `zod`, the copies of this package. */
export function resolve(specifier: string, context: ResolveContext, next: NextResolve): Resolved {
  if (specifier.startsWith(pluginScheme)) {
    const [plugin, from] = JSON.parse(decodeURIComponent(specifier.slice(pluginScheme.length))) as [string, string]
    return next(plugin, { ...context, parentURL: from })
  }
  const retry = (error: unknown): Resolved => {
    if (systemCode(error) !== 'ERR_MODULE_NOT_FOUND' || !ours.test(specifier)) throw error
    return next(specifier, { ...context, parentURL: own })
  }
  try {
    const resolved = next(specifier, context)
    return resolved instanceof Promise ? resolved.catch(retry) : resolved
  } catch (error) {
    return retry(error)
  }
}
