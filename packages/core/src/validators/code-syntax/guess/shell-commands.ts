import { isProseLine } from '../looks-like-code.ts'
import { cutLine } from './guess-language.ts'

/** Programs that no sentence begins with. */
const programs = new Set(
  (
    'npm npx yarn pnpm pip pip3 pipenv pipx poetry python python3 git docker docker-compose kubectl curl wget sudo apt apt-get yum dnf brew mkdir rm cp mv ls chmod chown ' +
    'tar unzip ssh scp rsync systemctl cmake gcc g++ cargo rustup rustc dotnet mvn gradle conda bundle gem composer terraform aws gcloud az ansible-playbook uvicorn ' +
    'gunicorn streamlit jupyter pytest virtualenv django-admin tmux nano vim grep sed awk journalctl crontab psql mysql redis-cli heroku vercel firebase flutter adb openssl ' +
    'ssh-keygen cd echo nix-shell bash sh zsh minikube helm ng tsc deno bun'
  ).split(' '),
)
/** Commands that sentences begin with too, and words of the shell: beside programs they are commands. */
const words = new Set(
  (
    'make find kill touch cat source which head tail export service node java javac ruby php go rails flask expo ln env set unset exit sleep read pwd test xargs sort uniq wc ' +
    'if then elif else fi for while until do done case esac { }'
  ).split(' '),
)

/** Whether every line of a text is a shell command, so that nothing of it is output or prose. */
export function isShell(source: string): boolean {
  if (/^#!.{0,80}\b(?:ba|da|z)?sh\b/.test(source)) return true
  let [isContinued, hasProgram] = [false, false]
  for (const raw of source.split(/\r\n|[\r\n]/)) {
    const line = cutLine(raw).trim()
    if (line !== '' && !line.startsWith('#')) {
      const isProgram = startsProgram(line)
      if (!(isContinued || isCommand(line)) || isDoubtful(line)) return false
      hasProgram ||= isProgram
    }
    isContinued = /[\\|]$|&&$/.test(line)
  }
  return hasProgram
}

function startsProgram(line: string): boolean {
  const [word = '', next = ''] = line.split(/\s+/, 2)
  if (programs.has(word) || /^\.{1,2}\/[\w./-]+$/.test(word)) return true
  return word === 'go'
    ? /^(?:run|build|mod|get|install|test|fmt)$/.test(next)
    : /^(?:node|php|java|javac|ruby)$/.test(word) && /[./-]/.test(next)
}

/** Whether a line may be a command. */
export function isCommand(line: string): boolean {
  return startsProgram(line) || words.has(/^[^\s;]*/.exec(line)?.[0] ?? '') || /^[A-Z_][A-Z\d_]*=\S*$/.test(line)
}

/** A remark in parentheses, something to be filled in, or a sentence. */
function isDoubtful(line: string): boolean {
  const bare = line.replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, '""').replace(/ #.*/, '') // backtracks: at most 200 characters
  // backtracks: at most 200 characters
  return /(?<![$<>=\w])\(|<[\w-][^<>]*>|\.{3}(?:\s|$)|…/.test(bare) || isProseLine(bare)
}
