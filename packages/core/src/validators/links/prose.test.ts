import { describe, expect, test } from 'vitest'
import { catalogue } from '../../catalogue.ts'
import { buildContract } from '../../contract/contract.ts'
import { settle } from '../../engine/repair/settle.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { links } from './index.ts'

const rules = buildContract({ checks: [links({ hosts: ['acme.com'] })], retries: 0, allow: ['lossy'] }, catalogue)

describe('prose that follows a bare address without a space', () => {
  test.each([
    '请访问 https://acme.com，谢谢您的支持。',
    'https://acme.com。谢谢',
    'https://acme.com、お問い合わせ',
    'https://acme.comをご覧ください。',
    '（https://acme.com）和「https://acme.com」',
    '| a |\n| --- |\n| https://acme.com|x |',
    '| https://acme.com|b.com |',
    'https://acme.com:8080，谢谢',
    'https://acme.com：是',
    'https://acme.com？是',
    'https://acme.com에서 확인하세요',
    'https://acme.comดูที่นี่',
    '请访问https://acme.com，或写信至jane@acme.com。',
  ])('stays: %j', async (text) => {
    expect(await settle(rules, text)).toMatchObject({ status: 'valid', text })
    await assertStreamable(rules, text)
  })

  test.each([
    ['请访问 https://evil.com，谢谢您的支持。', '请访问 #，谢谢您的支持。'],
    ['https://evil.comをご覧ください', '#をご覧ください'],
    ['请看https://evil.com/路径，谢谢您', '请看#，谢谢您'],
    ['www.evil.com，谢谢', '#，谢谢'],
    ['https://acme.com（官网）、https://evil.com（其他）', 'https://acme.com（官网）、#（其他）'],
    ['请访问https://acme.com，或写信至jane@evil.com。', '请访问#，或写信至jane@evil.com。'],
    ['看 https://acme.com。evil.com', '看 #'],
    ['https://acme.com。中国', '#。中国'],
    ['https://acme.com，.evil.com', '#，.evil.com'],
    ['https://acme.comを.evil.com', '#を.evil.com'],
    ['https://acme.com|@evil.com/', '#|@evil.com/'],
  ])('stays where the address goes: %j', async (text, expected) => {
    expect(await settle(rules, text)).toMatchObject({ status: 'repaired', text: expected })
    await assertStreamable(rules, text)
  })
})
