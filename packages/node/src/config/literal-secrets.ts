import type { ConfigurationProblem } from '@stickler/core'
import { isFields } from '@stickler/core/internal'
import { memberOf } from './plain-data.ts'

/** Plain data without the secrets in it. */
interface WithoutSecrets {
  readonly data: unknown
  readonly problems: readonly ConfigurationProblem[]
}

/** Common names of keys that hold secrets. */
const secretKey = /^(?:api|access|secret|operator)?[_-]?(?:keys?|tokens?|secrets?|passwords?)$/i

/**
 * Finds secrets that are written into a file, before variables are expanded, and removes them: no
 * later message can repeat them.
 */
export function takeOutSecrets(data: unknown): WithoutSecrets {
  if (!isFields(data)) return { data, problems: [] }
  const problems: ConfigurationProblem[] = []
  const clean = (section: unknown, path: readonly (string | number)[], instead: string): unknown => {
    if (!isFields(section)) return section
    const [secrets, others] = split(Object.entries(section), ([key]) => secretKey.test(key))
    for (const [key, value] of secrets) {
      const name = /^operator/i.test(key) ? 'operatorKeysEnv' : instead
      problems.push({ message: advice(value, name), path: [...path, key] })
    }
    return Object.fromEntries(others)
  }
  const sections: Record<string, unknown> = { ...data }
  if ('server' in data) sections.server = clean(data.server, ['server'], 'keysEnv')
  if ('store' in data) sections.store = takeOutPassword(clean(data.store, ['store'], 'urlEnv'), ['store', 'url'], 'urlEnv', problems)
  if (Array.isArray(data.upstreams)) {
    sections.upstreams = data.upstreams.map((one, index) => clean(one, ['upstreams', index], 'apiKeyEnv'))
  }
  if (isFields(data.retrieval)) {
    const { embeddings } = data.retrieval
    const section = {
      ...data.retrieval,
      ...(isFields(embeddings) ? { embeddings: clean(embeddings, ['retrieval', 'embeddings'], 'apiKeyEnv') } : {}),
    }
    sections.retrieval = takeOutPassword(section, ['retrieval', 'index'], 'indexEnv', problems)
  }
  return { data: sections, problems }
}

function takeOutPassword(
  section: unknown,
  path: readonly [section: string, key: string],
  instead: string,
  problems: ConfigurationProblem[],
): unknown {
  const [, key] = path
  const url = memberOf(section, key)
  // backtracks: the address is the operator's
  const password = typeof url === 'string' ? /^[a-z+]+:\/\/[^/?#]*?:([^/?#]+)@/i.exec(url)?.[1] : undefined
  if (!isFields(section) || password === undefined || /^\$\{[^}]*\}$/.test(password)) return section
  problems.push({
    message: `a password must not be in a file; put the whole address into the environment and write ${instead}: NAME`,
    path,
  })
  return Object.fromEntries(Object.entries(section).filter(([name]) => name !== key))
}

function advice(value: unknown, instead: string): string {
  // backtracks: the value is the operator's
  const name = typeof value === 'string' ? /^\$\{([A-Za-z_][A-Za-z0-9_]*)[^}]*\}$/.exec(value)?.[1] : undefined
  return name === undefined
    ? `a secret must not be in a file; put it into the environment and write ${instead}: NAME`
    : `reference secrets by environment variable; write ${instead}: ${name}`
}

function split<Item>(items: readonly Item[], test: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
