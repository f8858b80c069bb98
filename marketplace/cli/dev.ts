import { UsageError, type Command } from './command.ts'
export const dev: Command = {
  usage: '',
  summary: 'x',
  options: {},
  run: () => {
    throw new UsageError('x')
  },
}
