import { expect, test } from 'vitest'
import { readGatewayConfig } from '../../config/reading/read-gateway-config.ts'

const around = { env: {}, readFile: () => Promise.reject(new Error('no files here')), cwd: '/' }

test.each([
  ['a file', 'file:///etc/passwd', 'must be an http or https address'],
  ['gopher', 'gopher://example.com', 'must be an http or https address'],
  ['no address', 'api.openai.com', 'must be an http or https address'],
  ['a user', 'http://user:canary@example.com', 'must not contain a user or password; use apiKey or headers'],
  ['a hexadecimal host', 'http://0x7f000001/v1', 'must write an IPv4 address as four plain numbers'],
  ['an octal host', 'http://0177.0.0.1/v1', 'must write an IPv4 address as four plain numbers'],
  ['a mapped host', 'http://[::ffff:127.0.0.1]/v1', 'must not embed an IPv4 address in an IPv6 one'],
  ['a dot behind the host', 'http://example.com./v1', 'must not have a dot at the end of its host'],
  ['an encoded host', 'http://%65xample.com/v1', 'must have a host of plain letters, digits, hyphens and dots'],
  ['a homograph', 'http://exаmple.com/v1', 'must have a host of plain letters, digits, hyphens and dots'],
  ['port 0', 'http://example.com:0/v1', 'must have a port from 1 to 65535'],
  ['port 70000', 'http://example.com:70000/v1', 'must be an http or https address'],
])('%s', async (_, address, complaint) => {
  const source = `upstreams:\n- { name: a, kind: openai, baseUrl: "${address}" }\nroutes: [{ model: m, upstream: a }]\n`
  const refused = await readGatewayConfig(source, 'stickler.yaml', around).then(
    () => 'accepted',
    (error: Error) => error.message,
  )
  expect(refused).toBe(`stickler.yaml:2:28: upstreams.0.baseUrl: ${complaint}`)
})
