// What a bundle for Node has in place of modules that are loaded when they are used.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Requires a module on first use; synchronously, because contracts are built so. */
export function late(path) {
  let loaded
  return () => {
    // The build writes the folder.
    loaded ??= require(`LATE_FOLDER/${path}.js`)
    return loaded
  }
}

/** A validator of which only the name is there before something else is asked for. */
export function lateValidator(name, keys, load) {
  const definition = { name }
  for (const key of keys) Object.defineProperty(definition, key, { get: () => load().definition[key], enumerable: true })
  return Object.assign((...given) => ({ ...load()(...given), definition }), { definition })
}
