import { Argument, type Command } from 'commander'
import type { Io } from './io'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** The words that may follow each command: its own commands, and its options. The path of the program itself is empty. */
function wordsOf(command: Command, path = ''): [path: string, words: string][] {
  const inner = command.commands.filter((child) => child.name() !== 'help')
  const words = [...inner.map((child) => child.name()), ...command.options.map(({ long }) => long ?? ''), '--help']
  const own: [string, string] = [path, [...new Set(words)].join(' ')]
  return [own, ...inner.flatMap((child) => wordsOf(child, `${path} ${child.name()}`.trim()))]
}

/** Returns the script for bash, and for zsh by its `bashcompinit`: after a command its words, otherwise files. */
const forBash = (root: Command) => `_plumbline() {
  local path= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) case "$path$word" in ${wordsOf(root)
      .map(([path]) => `'${path.replace(/ /g, '/')}'`)
      .filter((path) => path !== "''")
      .join('|')}) path="$path$word/" ;; esac ;; esac
  done
  case "\${path%/}" in
${wordsOf(root)
  .map(
    ([path, words]) =>
      `    '${path.replace(/ /g, '/')}') COMPREPLY=($(compgen -W '${words}' -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`,
  )
  .join('\n')}
  esac
}
complete -o default -F _plumbline plumbline
`

const forFish = (root: Command) =>
  wordsOf(root)
    .map(([path, words]) => {
      const seen = path
        .split(' ')
        .filter(Boolean)
        .map((word) => `__fish_seen_subcommand_from ${word}`)
      const condition = seen.length > 0 ? seen.join('; and ') : '__fish_use_subcommand'
      return `complete -c plumbline -n '${condition}' -a '${words}'`
    })
    .join('\n')
    .concat('\n')

const SCRIPTS: Record<Shell, (root: Command) => string> = {
  bash: forBash,
  zsh: (root) => `autoload -U +X bashcompinit && bashcompinit\n${forBash(root)}`,
  fish: forFish,
}

/** Adds `completion <shell>`: the script for a shell's start-up file. */
export function completionCommand(program: Command, io: Io): void {
  program
    .command('completion')
    .description('print a script that completes commands and options: source <(plumbline completion bash)')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => io.out(SCRIPTS[shell](program)))
}
