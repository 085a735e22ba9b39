import { inspect } from 'node:util'

const hidden = '[hidden]'

/** Adds secrets to an object so that they can be used, but are never printed, copied or written as JSON; the names in `unseen` are hidden too. */
export function withSecrets<Open extends object, Secret extends object, Unseen extends object>(
  open: Open,
  secrets: Secret,
  unseen?: Unseen,
): Open & Secret & Unseen {
  const names = Object.entries(secrets).filter(([, value]) => value !== undefined)
  const shown = (): object => ({ ...open, ...Object.fromEntries(names.map(([name]) => [name, hidden])) })
  const properties = [...names, ...Object.entries(unseen ?? {}), ['toJSON', shown], [inspect.custom, shown]] as readonly (readonly [
    PropertyKey,
    unknown,
  ])[]
  const complete = { ...open }
  for (const [name, value] of properties) Object.defineProperty(complete, name, { value, enumerable: false })
  return Object.freeze(complete) as Open & Secret & Unseen
}
