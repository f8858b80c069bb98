/** Of languages whose files end otherwise than they are called. */
const endings: Readonly<Record<string, string>> = {
  ...{ bash: 'sh', shell: 'sh', zsh: 'sh', console: 'sh', csharp: 'cs', 'c#': 'cs', 'c++': 'cpp', golang: 'go' },
  ...{ javascript: 'js', typescript: 'ts', python: 'py', ruby: 'rb', rust: 'rs', kotlin: 'kt', markdown: 'md' },
  ...{
    powershell: 'ps1',
    yaml: 'yml',
    postgres: 'sql',
    postgresql: 'sql',
    mysql: 'sql',
    plaintext: 'txt',
    text: 'txt',
  },
}

/** How a file of a language ends; of one that nobody knows as the language is called, of none as text. */
export function fileEnding(language: string): string {
  const said = language.toLowerCase()
  return endings[said] ?? (/^[a-z0-9]{1,12}$/.test(said) ? said : 'txt')
}
