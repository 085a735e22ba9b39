import { isFields } from '@stickler/core/runners'

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
