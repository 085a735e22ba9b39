import { expect, test } from 'vitest'
import { responseAttributes } from './call-attributes.ts'

test.each([
  ['chatcmpl-9fVQ2kTzGx0bN3c7', 'chatcmpl-9fVQ2kTzGx0bN3c7'],
  ['msg_01XFDUDYJgAACzvnptvVoYEL', 'msg_01XFDUDYJgAACzvnptvVoYEL'],
  ['words in place of an id 123456', undefined],
  ['Words_7', undefined],
  ['only-letters-and-dashes', undefined],
  ['9'.repeat(129), undefined],
])('the id %s of a response is in its span: %s', (id, expected) => {
  expect(responseAttributes({ id }, 'm', {})['gen_ai.response.id']).toBe(expected)
})
