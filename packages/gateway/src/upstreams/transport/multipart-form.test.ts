import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MultipartForm } from './multipart-form.ts'

const part = (head: string, content: string | Buffer) => [Buffer.from(`--b\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]
const form = (...parts: readonly Buffer[][]) => Buffer.concat([...parts.flat(), Buffer.from('--b--\r\n')])
const field = (name: string, value: string | Buffer) => part(`Content-Disposition: form-data; name="${name}"`, value)
const type = 'multipart/form-data; boundary=b'

test('fields are replaced and left out, and files keep every byte', () => {
  const name = fc.stringMatching(/^[a-z_]{1,8}$/)
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.uint8Array()), { maxLength: 8 }), fc.uint8Array(), (fields, file) => {
      const safe = fields.map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const)
      const head = 'Content-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream'
      const body = form(field('model', 'mine'), ...safe.map(([key, value]) => field(key, value)), part(head, Buffer.from(file)))
      // A file that holds the boundary is not a file.
      fc.pre(!Buffer.from(file).includes('\r\n--b') && !Buffer.from(file).subarray(0, 3).equals(Buffer.from('--b')))
      const read = MultipartForm.read(body, type)
      expect(read?.bytes()).toEqual(body)
      const sent =
        read
          ?.with('model', 'theirs')
          .without(new Set(['api_key']))
          .bytes() ?? Buffer.alloc(0)
      expect(sent.includes(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), file, Buffer.from('\r\n--b')]))).toBe(true)
      expect(MultipartForm.read(sent, type)?.fields().model).not.toBe('mine')
    }),
  )
})

test.each<[string, Buffer, string?]>([
  ['no boundary', form(field('model', 'm')), 'multipart/form-data'],
  ['another boundary', form(field('model', 'm')), 'multipart/form-data; boundary=c'],
  ['a boundary that needs quotes', form(field('model', 'm')), 'multipart/form-data; boundary="a b"'],
  ['nothing', Buffer.alloc(0)],
  ['no end', Buffer.concat(field('model', 'm'))],
  ['something before it', Buffer.concat([Buffer.from('hello\r\n'), form(field('model', 'm'))])],
  ['a part without a name', form(part('Content-Type: text/plain', 'x'))],
  ['two names', form(part('Content-Disposition: form-data; name="a"; name="api_base"', 'x'))],
  ['two dispositions', form(part('Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="api_base"', 'x'))],
  ['an encoded name', form(part("Content-Disposition: form-data; name*=utf-8''api_base", 'x'))],
  ['a name with escapes', form(part('Content-Disposition: form-data; name="a\\"; name=\\"api_base"', 'x'))],
  ['a folded header', form(part('Content-Disposition: form-data;\r\n name="api_base"', 'x'))],
  ['a bare line feed', form(part('X: y\nContent-Disposition: form-data; name="api_base"', 'x'))],
  ['too many parts', form(...Array.from({ length: 201 }, () => field('a', '1')))],
])('%s is not a form', (_, body, contentType = type) => {
  expect(MultipartForm.read(body, contentType)).toBeUndefined()
})

test('members of a withheld field are left out too', () => {
  const read = MultipartForm.read(form(field('stickler[session]', 'x'), field('model', 'm')), type)
  expect(read?.without(new Set(['stickler'])).fields()).toEqual({ model: 'm' })
})
