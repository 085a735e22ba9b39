import { ConfigurationError } from '@stickler/core'
import { describe, expect, it } from 'vitest'
import { openaiUpstream } from './kinds/openai-upstream.ts'
import { readAddress } from './settings/base-url.ts'
import { ownHeaders, secretsOf } from './settings/provider-headers.ts'

describe('addresses of providers', () => {
  it.each([
    ['https://api.openai.com/v1', {}, { origin: 'https://api.openai.com', path: '/v1', search: '' }],
    ['HTTP://LOCALHOST:11434/v1//', {}, { origin: 'http://localhost:11434', path: '/v1', search: '' }],
    ['http://127.0.0.1:8000', {}, { origin: 'http://127.0.0.1:8000', path: '', search: '' }],
    ['http://10.0.0.7/v1?a=1', { 'api-version': '2 3' }, { origin: 'http://10.0.0.7', path: '/v1', search: '?a=1&api-version=2+3' }],
    ['http://[::1]:80/', {}, { origin: 'http://[::1]', path: '', search: '' }],
    ['https://xn--mnchen-3ya.example/', {}, { origin: 'https://xn--mnchen-3ya.example', path: '', search: '' }],
    ['http://my_service.svc:1/', {}, { origin: 'http://my_service.svc:1', path: '', search: '' }],
  ])('%s', (text, query, expected) => {
    expect(readAddress(text, query)).toEqual(expected)
  })

  it.each([
    'file:///etc/passwd',
    'gopher://secret',
    'javascript:secret',
    'secret',
    '',
    'http:/secret',
    'http://',
    'http://user:secret@host',
    'http://secret@host/',
    'http://host\\@secret',
    'http://0x7f000001/secret',
    'http://0x7f.1/secret',
    'http://0177.0.0.1/secret',
    'http://2130706433/secret',
    'http://127.1/secret',
    'http://127.0.0.1.:80/secret',
    'http://host./secret',
    'http://host:0/secret',
    'http://host:70000/secret',
    'http://host:8o/secret',
    'http://host:/secret',
    'http://ho%73t/secret',
    'http://127.0.0.1%2f/secret',
    'http://[::ffff:127.0.0.1]/secret',
    'http://[::ffff:7f00:1]/secret',
    'http://[fe80::1%25eth0]/secret',
    'http://[::1/secret',
    'http://аpi.openai.com/secret',
    'http://１２７.0.0.1/secret',
    'http://ho st/secret',
    'http://host/\r\nsecret',
    ' http://host/secret',
    'http://host/#secret',
    'http://a..b/secret',
  ])('%j is refused and not repeated', (text) => {
    const act = () => openaiUpstream({ name: 'x', baseUrl: text })
    expect(act).toThrow(ConfigurationError)
    expect(act).not.toThrow(/secret/)
  })
})

describe('headers of settings', () => {
  it.each<[string, Parameters<typeof ownHeaders>[0]]>([
    ['a line break in the key', { apiKey: 'secret\r\nx: y' }],
    ['a letter beyond ASCII in the key', { apiKey: 'secretö' }],
    ['a line break in a value', { headers: { 'x-a': 'secret\nb' } }],
    ['a bad name', { headers: { 'x a': 'secret' } }],
    ['the host', { headers: { Host: 'secret' } }],
    ['the length', { headers: { 'Content-Length': 'secret' } }],
    ['the connection', { headers: { connection: 'secret' } }],
    ['a bad header of the key', { apiKey: 'secret', apiKeyHeader: 'a b' }],
  ])('%s is refused and not repeated', (_, settings) => {
    expect(() => ownHeaders(settings, {})).toThrow(ConfigurationError)
    expect(() => ownHeaders(settings, {})).not.toThrow(/secret/)
  })

  it('secrets are found by their names', () => {
    const secrets = secretsOf(
      { apiKey: 'one1', headers: { Authorization: 'Basic two2', 'x-org': 'acme' } },
      '?subscription-key=three3&api-version=1',
    )
    expect(secrets).toEqual(expect.arrayContaining(['one1', 'two2', 'three3']))
    expect(secrets).not.toContain('acme')
    expect(secrets).not.toContain('1')
  })
})

describe('numbers of settings', () => {
  it.each([{ timeouts: { idleMs: 0 } }, { timeouts: { totalMs: -1 } }, { maxResponseBytes: Number.NaN }, { connections: 0 }])(
    '%j is refused',
    (settings) => {
      expect(() => openaiUpstream({ name: 'x', baseUrl: 'http://host', ...settings })).toThrow(ConfigurationError)
    },
  )
})
