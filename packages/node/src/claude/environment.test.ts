import { expect, it } from 'vitest'
import { claudeCliEnvironment } from './environment.ts'

const env = {
  PATH: '/bin',
  HOME: '/h',
  LC_ALL: 'C',
  https_proxy: 'http://proxy',
  ANTHROPIC_API_KEY: 'theirs',
  CLAUDE_CONFIG_DIR: '/c',
  STICKLER_KEYS: 'alice:key',
  DB_PASSWORD: 'db',
  UP_KEY: 'up',
  NODE_OPTIONS: '--inspect',
  AWS_SECRET_ACCESS_KEY: 'aws',
  GONE: undefined,
}
const usual = ['ANTHROPIC_API_KEY', 'CLAUDE_CONFIG_DIR', 'HOME', 'LC_ALL', 'PATH', 'https_proxy']

it.each<[string, Parameters<typeof claudeCliEnvironment>[1], readonly string[]]>([
  ['what the command needs', undefined, usual],
  ['what is named besides', { pass: ['DB_PASSWORD', 'GONE', 'NOWHERE'] }, [...usual, 'DB_PASSWORD']],
  ['nothing that is withheld', { withhold: ['ANTHROPIC_API_KEY', 'UP_KEY'] }, usual.filter((name) => name !== 'ANTHROPIC_API_KEY')],
  ['what is withheld and named all the same', { pass: ['ANTHROPIC_API_KEY'], withhold: ['ANTHROPIC_API_KEY'] }, usual],
])('gives the command %s', (_, variables, names) => {
  expect(Object.keys(claudeCliEnvironment(env, variables)).sort()).toEqual([...names].sort())
})

it('does not take names of the prototype for variables', () => {
  expect(claudeCliEnvironment({}, { pass: ['constructor', '__proto__'] })).toEqual({})
})
