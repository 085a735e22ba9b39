/** How a file that is code without a fence may begin, by language. */
const beginnings: readonly (readonly [language: string, start: RegExp])[] = [
  ['bash', /^#!.*\b(?:ba|da)?sh\b/], // backtracks: at most 200 characters
  ['python', /^(?:#!.*\bpython|(?:async )?def \w+ ?\(|from [\w.]+ import |import [\w.]+(?: as \w+)?$|class \w+ ?[:(]|print\()/], // backtracks: at most 200 characters
  ['go', /^(?:package \w+$|func (?:\(\w+ [*\w]+\) )?\w+\()/], // backtracks: at most 200 characters
  [
    'avap',
    /^(?:addVar|addParam|addResult|getQueryParamList|registerEndpoint|startLoop|orm[A-Z]\w+|encode(?:SHA256|MD5)|Request(?:Get|Post)) ?\(/, // backtracks: at most 200 characters
  ],
  ['sql', /^(?:SELECT |INSERT INTO |UPDATE |DELETE FROM |CREATE |ALTER |DROP |WITH )/], // backtracks: at most 200 characters
  ['sql', /^(?:insert into |update \w+ set |delete from |create table |alter table |drop table )/], // backtracks: at most 200 characters
  ['json', /^(?:[{[]$|\{\s*["}]|\[\s*["{[\]\d-])/], // backtracks: at most 200 characters
  [
    'typescript',
    /^(?:export |import ["'{*]|import \w+ from |(?:const|let|var) [\w${[]|(?:async )?function\b|interface \w|type \w+ ?[=<]|class \w+ ?(?:\{|extends |implements ))/, // backtracks: at most 200 characters
  ],
]

/** Of a longer line the start is enough. */
const longestLine = 200

/** The language that a text without fences seems to be written in, by its first line of code; undefined in doubt. */
export function guessLanguage(text: string): string | undefined {
  const first = text.split(/[\r\n]+/).find((line) => line.trim() !== '' && !line.trimStart().startsWith('//'))
  const line = first?.trim().slice(0, longestLine) ?? ''
  if (/[\p{L}\d][.!?]$/u.test(line)) return undefined
  if (line.startsWith('select ') && line.includes(' from ')) return 'sql'
  return beginnings.find(([, start]) => start.test(line))?.[0]
}
