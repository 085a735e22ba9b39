import { expect, test } from 'vitest'
import * as z from 'zod'
import { takeOutSecrets } from './literal-secrets.ts'

const kind = (name: string) => z.strictObject({ kind: z.literal(name), apiKeyEnv: z.string() })
const schema = z.strictObject({ upstreams: z.array(z.discriminatedUnion('kind', [kind('openai'), kind('anthropic')])) })

test.each(['openai', 'opanai'])('a secret of an upstream of kind %s is found and taken out', (name) => {
  const { data, problems } = takeOutSecrets({ upstreams: [{ kind: name, apiKey: 'sk-canary' }] }, schema)
  expect(data).toEqual({ upstreams: [{ kind: name }] })
  expect(problems).toEqual([
    { message: 'a secret must not be in a file; put it into the environment and write apiKeyEnv: NAME', path: ['upstreams', 0, 'apiKey'] },
  ])
})
