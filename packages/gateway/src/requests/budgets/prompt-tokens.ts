import type { Message } from '@stickler/core'
import { type AnswerFormat, isFields, mostFormatBytes, placeSchema } from '@stickler/core/internal'
import { withoutLimits } from './completion-limit.ts'

/**
 * Prose has 4 bytes per token, and code or other scripts have fewer: a reservation may be too
 * large, but not too small.
 */
const bytesPerToken = 3
/** No provider counts an image for more. */
const imageTokens = 4096
const quotes = 2
const brackets = 2

/** An upper estimate of the tokens of a text with so many bytes. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken)
}

/** The most bytes that a text with so many tokens was estimated from. */
export function bytesOfTokens(tokens: number): number {
  return tokens * bytesPerToken
}

/** An upper estimate of the tokens of a prompt, tools and everything else that the model is shown. */
export function promptTokensOf({ messages, ...others }: Readonly<Record<string, unknown>>): number {
  const pictures = picturesIn(messages)
  // Models read messages as text, and everything else as JSON with its escapes.
  const bytes =
    bytesOf(messages, (text) => Buffer.byteLength(text) + quotes, pictures) + bytesOf({ ...others, messages: '' }, jsonBytes, pictures)
  return tokensOfBytes(bytes)
}

/** The same of a request in any API: some call messages `input`. */
export function sentTokensOf(request: Readonly<Record<string, unknown>>): number {
  const { input, ...others } = request
  return promptTokensOf(others.messages === undefined && input !== undefined ? { ...others, messages: input } : request)
}

/** Bytes of a value as JSON, each picture as many as its tokens have; by hand, because it may be nested deeply. */
function bytesOf(root: unknown, textBytes: (text: string) => number, pictures: ReadonlyMap<object, string>): number {
  let bytes = 0
  const open: unknown[] = [root]
  while (open.length > 0) {
    const value = open.pop()
    // A comma follows.
    bytes += 1
    if (typeof value === 'string') bytes += textBytes(value)
    else if (Array.isArray(value)) {
      bytes += brackets
      for (const item of value) open.push(item)
    } else if (typeof value === 'object' && value !== null) {
      bytes += brackets
      for (const [name, member] of Object.entries(value)) {
        if (member === undefined) continue
        bytes += textBytes(name) + 1
        if (typeof member === 'string' && pictures.get(value) === name) bytes += imageTokens * bytesPerToken
        else open.push(member)
      }
    } else {
      // A number in a list may be a token by itself.
      bytes += Math.max(String(value).length, bytesPerToken)
    }
  }
  return bytes
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}

/** Where the images of messages are: the object that holds each one, and the name of the member that is its bytes or its address. */
export function picturesIn(messages: unknown): ReadonlyMap<object, string> {
  const pictures = new Map<object, string>()
  if (Array.isArray(messages)) for (const message of messages) noteMessage(message, pictures)
  return pictures
}

/** Items of the Responses API hold pictures in what a tool has put out, too. */
function noteMessage(message: unknown, pictures: Map<object, string>): void {
  notePictures(message, pictures)
  if (!isFields(message)) return
  const { type, output } = message
  if (type === 'image_generation_call') pictures.set(message, 'result')
  else if (type === 'computer_call_output' && isFields(output)) pictures.set(output, 'image_url')
  else if (type === 'function_call_output' || type === 'custom_tool_call_output') notePictures({ content: output }, pictures)
}

function notePictures(holder: unknown, pictures: Map<object, string>): void {
  if (!isFields(holder) || !Array.isArray(holder.content)) return
  for (const part of holder.content) {
    if (!isFields(part)) continue
    const { type, image_url, source } = part
    // By its type alone: text that begins like an image is still read as text.
    if (type === 'image_url' || type === 'input_image') {
      if (isFields(image_url)) pictures.set(image_url, 'url')
      else pictures.set(part, 'image_url')
    } else if (type === 'image' && isFields(source)) pictures.set(source, source.type === 'url' ? 'url' : 'data')
    // Results of tools have content of their own, one level deep.
    else if (type === 'tool_result' && holder.role !== undefined) notePictures({ content: part.content }, pictures)
  }
}

/** What is sent besides messages. */
interface AskedRequest {
  readonly chat: Readonly<Record<string, unknown>>
  /** The client's own request, where it is sent unchanged. */
  readonly native?: { readonly request: { readonly body: Readonly<Record<string, unknown>> } } | undefined
}

/** An upper estimate of the tokens of a request, with the schema that it sends. */
export function askedTokens({ chat, native }: AskedRequest, messages: readonly Message[], format: AnswerFormat | undefined): number {
  const given = { ...chat, messages }
  const sent = native?.request.body
  const asked = promptTokensOf(withoutLimits(given))
  const { inPrompt } = placeSchema(format, sent ?? given, undefined)
  const told = inPrompt === undefined ? 0 : tokensOfBytes(mostFormatBytes(inPrompt))
  return told + (sent === undefined ? asked : Math.max(asked, sentTokensOf(withoutLimits(sent))))
}
