import { describe, expect, test } from 'vitest'
import { contract } from '../../../catalogue.ts'
import { settle } from '../../../engine/repair/settle.ts'
import { assertStreamable } from '../../../testing/assert-streamable.ts'

const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const tools = ['delete_file', 'table', 'openFile'].map((name) => ({ name, parameters }))
const rules = contract({ checks: ['tool_calls'], allow: ['lossless', 'lossy', 'guess'] })
const path = '{"path": "/tmp/a"}'
const call = `{"name": "delete_file", "arguments": ${path}}`
const listed = `[{"tool_name": "delete_file", "parameters": ${path}}]`
const fence = '```'
const action = `Action: delete_file\nAction Input: ${path}`

/** How many calls a text becomes, or what is wrong with it; the same in streams, however it is cut. */
async function fate(text: string): Promise<string | number> {
  await assertStreamable(rules, text, [1, 7, [3, 1, 11]], { context: { tools } })
  const { toolCalls, issues } = await settle(rules, text, { context: { tools } })
  for (const { arguments: given } of toolCalls) expect(JSON.parse(given)).toEqual({ path: '/tmp/a' })
  return issues[0]?.code ?? toolCalls.length
}

describe('notations that prompts ask for are calls', () => {
  test.each<[string, string, number?]>([
    ['ReAct', action],
    ['ReAct with other line ends', `Action: delete_file  \r\n\r\nAction Input:\r\n${path}\r\n`],
    ['ReAct below a thought', `Thought: I should delete the file\n${action}`],
    ['ReAct below words', `I delete it now.\n\n${action}`],
    ['a list of calls as an action', `Action: ${fence}json\n${listed}\n${fence}`],
    ['the same on one line', `Plan: delete it.\nAction: ${fence}json ${listed}${fence}`],
    ['a tag with attributes', `<tool_call id="1" kind='x'>${call}</tool_call>`],
    ['several of them', `<tool_call id="1">\n${call}\n</tool_call>\n<tool_call id="2">\n${call}\n</tool_call>`, 2],
    ['a name and JSON in tags', `<tool_use><tool_name>delete_file</tool_name>\n<parameters>\n${path}\n</parameters></tool_use>`],
    ['a tag with the name of a tool', '<delete_file><path>/tmp/a</path></delete_file>'],
    ['one below words, in camel case', 'I open it.\n\n<openFile>\n<path>/tmp/a</path>\n</openFile>\n'],
    ['one with JSON', `<delete_file>${path}</delete_file>`],
    ['a command', `{"command": {"name": "delete_file", "args": ${path}}}`],
    ['a command with thoughts', `{"thoughts": {"text": "Hm."}, "command": {"name": "delete_file", "args": ${path}}}`],
  ])('%s', async (_what, text, count = 1) => {
    expect(await fate(text)).toBe(count)
  })
})

describe('what cannot be read, or need not be meant, is reported', () => {
  test.each([
    ['an observation that the model made up', `${action}\nObservation: done`, 'TOOL_CALL_IN_TEXT'],
    ['words that show it', `You can write, for example:\n${action}`, 'TOOL_CALL_IN_TEXT'],
    ['an input that is no object', 'Action: delete_file\nAction Input: /tmp/a', 'TOOL_CALL_IN_TEXT'],
    ['an action that no tool has', `Action: rm_all\nAction Input: ${path}`, 'TOOL_CALL_IN_TEXT'],
    ['an input that is cut off', 'Action: delete_file\nAction Input: {"path": "/tm', 'TRUNCATED'],
    ['the name as an attribute', `<tool_call name="delete_file">${path}</tool_call>`, 'TOOL_CALL_IN_TEXT'],
    [
      'arguments in tags of their own',
      '<tool_use><name>delete_file</name><arguments><path>a</path></arguments></tool_use>',
      'TOOL_CALL_IN_TEXT',
    ],
    ['tags that do not match', '<delete_file><path>/tmp/a</delete_file>', 'TOOL_CALL_IN_TEXT'],
    ['a tag that is cut off', '<delete_file>\n<path>/tm', 'TRUNCATED'],
    ['words behind a tag', '<delete_file><path>/tmp/a</path></delete_file> Shall I?', 'TOOL_CALL_IN_TEXT'],
  ])('%s', async (_what, text, code) => {
    expect(await fate(text)).toBe(code)
  })
})

describe('text stays text', () => {
  test.each([
    ['a word that is no label of a call', 'Action: call the bank.\nOwner: me'],
    ['a label alone', 'Action: delete_file\nOwner: me'],
    ['a label amid a line', 'We write Action: delete_file\nAction Input: {} in the prompt.'],
    ['a quotation', `> Action: delete_file\n> Action Input: ${path}`],
    ['code', `It looks so:\n\n${fence}\n${action}\n${fence}\n\nThat is all.`],
    ['other JSON as an action', `Action:\n${fence}json\n{"a": 1}\n${fence}`],
    ['a tag that is only named', 'Use <delete_file> to remove it, and <tool_call id> for calls.'],
    ['a tag in code', 'Write `<delete_file><path>a</path></delete_file>` so.'],
    ['HTML, though a tool has that name', '<table><tr><td>a</td></tr></table>'],
    ['a tag that no tool has', '<delete_folder><path>a</path></delete_folder>'],
    ['a command among other fields', `{"command": {"name": "delete_file", "args": ${path}}, "status": "ok"}`],
  ])('%s', async (_what, text) => {
    expect(await fate(text)).toBe(0)
  })
})
