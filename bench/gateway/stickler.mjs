import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { schema, sourceCount } from './answers.mjs'
import { beside } from './processes.mjs'

const citations = { citations: { sources: sourceCount } }

/** `three` for whole answers; `flowing` for streams, because JSON is held to its end. */
const contracts = {
  three: { checks: ['step_marker', { json: { schema } }, citations], retries: 0 },
  flowing: { checks: ['step_marker', citations, { max_words: { limit: 5000 } }], retries: 0 },
  strict: { checks: [citations], retries: 0 },
  json: { checks: [{ json: { schema } }], retries: 0 },
}
const contractOf = { whole: 'three', flowing: 'flowing', single: 'flowing', long: 'flowing', wrong: 'strict', nested: 'json' }

/** Writes a configuration and tells how `stickler serve` of a checkout is started with it; everything else is as it is by default. */
export async function sticklerArguments({ port, upstream, folder, enforced, home = beside('../..') }) {
  const config = {
    server: { port },
    store: { url: `sqlite:${join(folder, 'stickler.db')}` },
    upstreams: [{ name: 'up', kind: 'openai', baseUrl: `${upstream}/v1`, apiKeyEnv: 'UP_KEY' }],
    ...(enforced ? { contracts } : {}),
    routes: Object.entries(contractOf).map(([model, contract]) => ({ model, upstream: 'up', ...(enforced ? { contract } : {}) })),
  }
  const file = join(folder, 'stickler.yaml')
  // JSON is YAML.
  await writeFile(file, JSON.stringify(config, null, 2))
  return [join(home, 'packages/cli/bin/stickler.js'), 'serve', '--config', file]
}
