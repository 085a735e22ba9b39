/** One server-sent event with data that is JSON; line breaks in it, which only white space can be, stay. */
export function frame(name: string, data: string): string {
  const head = name === '' ? 'data: ' : `event: ${name}\ndata: `
  return `${head}${inLines(data)}\n\n`
}

/** Some readers take further characters for the end of a line. */
function inLines(data: string): string {
  let json = data
  if (json.includes('\u2028')) json = json.replaceAll('\u2028', '\\u2028')
  if (json.includes('\u2029')) json = json.replaceAll('\u2029', '\\u2029')
  return json.includes('\n') || json.includes('\r') ? json.replace(/\r\n|\r|\n/g, '\ndata: ') : json
}
