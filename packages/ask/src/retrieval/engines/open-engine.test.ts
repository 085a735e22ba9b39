import { ConfigurationError } from '@stickler/core'
import { expect, test } from 'vitest'
import { openEngine } from './open-engine.ts'

test.each(['', 'file:', 'file:///', 'file://host/x.db', 'folder/', 'a\0b', 'mysql://user:secret@host/db', 'http://user:secret@host'])(
  'the address %j of no index is a wrong configuration that does not repeat it',
  async (url) => {
    const error: unknown = await openEngine(url).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(String(error)).toMatch(/retrieval.index: /)
    expect(String(error)).not.toContain('secret')
  },
)
