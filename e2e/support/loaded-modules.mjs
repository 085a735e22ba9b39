// Preloaded with `node --import`: appends the address of every module that the process loads to the file STICKLER_LOADED.
import { register } from 'node:module'

const hooks = `import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  appendFileSync(process.env.STICKLER_LOADED, url + '\\n')
  return next(url, context)
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
