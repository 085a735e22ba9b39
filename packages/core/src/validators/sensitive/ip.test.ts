import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { settle } from '../../engine/repair/settle.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { sensitive } from './index.ts'

const redacting = contract({ checks: [sensitive({ kinds: ['ip'], redact: true })], retries: 0 })

test.each([
  ['The server is 93.184.216.34.', 'The server is [IP].'],
  ['the net 10.20.0.0 and node 10.0.0.5', 'the net [IP] and node [IP]'],
  ['8.8.8.8 is a resolver', '[IP] is a resolver'],
  ['host: "10.0.0.5", ip=172.16.4.2;192.168.1.20', 'host: "[IP]", ip=[IP];[IP]'],
  ['ssh root@192.168.1.20:22 and http://93.184.216.34:8080/x', 'ssh root@[IP]:22 and http://[IP]:8080/x'],
  ['10.1.2.0/24, 10.1.2.3-10.1.2.9', '[IP]/24, [IP]-[IP]'],
  ['IP:93.184.216.34, (93.184.216.34)', 'IP:[IP], ([IP])'],
  ['2a00:1450:4001:82a::200e', '[IP]'],
  ['http://[2a00:1450:4001:82a::200e]:80/ and fe80::1ff:fe23:4567:890a%eth0', 'http://[[IP]]:80/ and [IP]%eth0'],
  ['2606:2800:0220:0001:0248:1893:25c8:1946', '[IP]'],
  ['::ffff:93.184.216.34', '[IP]'],
  ['see fdab::cafe now, or fdab:cafe:fade:beef:abcd:dcba:feed:face now', 'see [IP] now, or [IP] now'],
  ['12, 5 or 10.0.0.5 in 2020: 1 10.20.0.9 and 5 2a00:1450::e', '12, 5 or [IP] in 2020: 1 [IP] and 5 [IP]'],
  ['{"a": "x\\n93.184.216.34"}', '{"a": "x\\n[IP]"}'],
])('%s becomes %s', async (text, expected) => {
  expect((await settle(redacting, text)).text).toBe(expected)
  await assertStreamable(redacting, text, [1, 3, 7])
})

test.each([
  'Version 10.20.30.40, v1.2.3.40 and "version": "1.22.3.4"; AssemblyVersion("1.2.3.44")',
  '.NET 4.8.1.0, .NET Framework 4.7.2.1, Java 8.0.3.1, assembly 4.0.0.0 and Chrome 120.0.60.71',
  'Chrome/120.0.6099.71 Safari/120.10.60.99, lib-1.2.3.44, pkg==1.2.33.4, >=2.0.1.4 and 1.2.3.44-beta',
  'Section 3.1.2.4, § 4.2.1.1, chapter 1.2.3.9: see figure 2.1.1.3',
  '1.2.3.5 Overview\n\n### 2.1.4.1 Details\n**3.1.2.2 More**\n- 3.1.1.1 Yes',
  'At 12:30:45, from 12:30:45.120 to 01:02:03:04',
  '10.000.000.000, 1.234.567.890, 1.3.6.1.4.1, 1.2.3.256 and 01.02.03.04',
  'MAC 00:1a:2b:3c:4d:5e, std::string, dead::beef, Face::add, a[2000::3], x[::1], 1:3:4',
  'https://whois.org/whois/93.184.216.34',
])('right: %s', async (text) => {
  expect((await check(redacting, text)).issues).toEqual([])
  await assertStreamable(redacting, text, [1, 3])
})

test('every address that is found is one, and every address of a usual range is found', async () => {
  const written = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{3,40}$/))
  await fc.assert(
    fc.asyncProperty(written, async (text) => {
      const all = contract({ checks: [sensitive({ kinds: ['ip'], placeholders: 'reject' })], retries: 0 })
      const { issues } = await check(all, text)
      for (const { span } of issues) expect(isIP(text.slice(span?.start, span?.end))).toBeGreaterThan(0)
      const isUsual = isIP(text) === 4 || (isIP(text) === 6 && /^(?:[23][0-9a-f]{3}|f[cd][0-9a-f]{2}):/.test(text))
      if (isUsual) expect(issues).toHaveLength(1)
      await assertStreamable(all, text, [1, 4])
    }),
    { numRuns: 300 },
  )
})

test('IP addresses are not searched for unless they are asked for', async () => {
  expect((await check(contract({ checks: ['sensitive'] }), 'Ping 103.16.156.24 and 2001:db8:1::1.')).issues).toEqual([])
})

test('IP addresses are found where they are asked for', async () => {
  const usual = contract({ checks: [sensitive({})], retries: 0 })
  expect((await check(usual, 'IP 93.184.216.34')).issues).toEqual([])
})
