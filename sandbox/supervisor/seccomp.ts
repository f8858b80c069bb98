import { constants, endianness } from 'node:os'

import { machines, type Machine } from './system-calls.ts'

const load = 0x20
const jumpIfEqual = 0x15
const jumpIfGreaterOrEqual = 0x35
const jumpIfAny = 0x45
const returnCode = 0x06
const allowCall = 0x7fff0000
const refuseCall = 0x00050000
const numberOffset = 0
const machineOffset = 4
const argumentsOffset = 16
/** Numbers from here on are those of the 32-bit calls on x64. */
const otherNumbers = 0x40000000
const cloneThread = 0x00010000
/** O_WRONLY, O_RDWR, O_CREAT, O_TRUNC. */
const writing = 0o1 | 0o2 | 0o100 | 0o1000
/** In the place of the process's number, which is known where the filter is set. */
const ownNumber = 0x5e1f5e1f

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

/**
 * Sets a filter of system calls and becomes the command that follows: no sockets, no other processes, no writing to files, no
 * way into other namespaces or the rarer parts of the kernel. What is refused fails with an error. Perl is what every Debian has
 * that can make a system call; a filter is set by none of the small tools before util-linux 2.41.
 */
const setFilter = `my($call,$hex)=splice(@ARGV,0,2);my $f=pack('H*',$hex);my $n=pack('L',$$);my $m=pack('L',${ownNumber});
for(my $i=4;$i<length $f;$i+=8){substr($f,$i,4)=$n if substr($f,$i,4) eq $m}
my $p=pack('Sx![P]P',length($f)/8,$f);syscall($call,38,1,0,0,0);syscall($call,22,2,$p)==0 or exit 126;exec{$ARGV[0]}@ARGV;exit 127`

/** What goes before a command so that it runs under the filter; nothing where no filter is known for the machine. */
export function seccompPrefix(perl: string, arch: string = process.arch): readonly string[] {
  const machine = machines[arch]
  if (!machine || endianness() !== 'LE') return []
  return [perl, '-e', setFilter, String(machine.prctl), compileFilter(machine).toString('hex')]
}

function compileFilter(machine: Machine): Buffer {
  const refuse: Instruction = [returnCode, 0, 0, refuseCall | constants.errno.EPERM]
  const allow: Instruction = [returnCode, 0, 0, allowCall]
  /** As if the kernel were older: the C library then uses the call whose flags can be seen. */
  const unknown: Instruction = [returnCode, 0, 0, refuseCall | constants.errno.ENOSYS]
  const argument = (index: number): Instruction => [load, 0, 0, argumentsOffset + 8 * index]
  const when = (call: number, block: readonly Instruction[]): readonly Instruction[] => [
    [jumpIfEqual, 0, block.length, call],
    ...block,
  ]
  return encode([
    [load, 0, 0, machineOffset],
    [jumpIfEqual, 1, 0, machine.audit],
    refuse,
    [load, 0, 0, numberOffset],
    [jumpIfGreaterOrEqual, 0, 1, otherNumbers],
    refuse,
    ...machine.refused.flatMap((call) => when(call, [refuse])),
    ...when(machine.clone3, [unknown]),
    ...when(machine.clone, [argument(0), [jumpIfAny, 0, 1, cloneThread], allow, refuse]),
    ...machine.signals.flatMap((call) => when(call, [argument(0), [jumpIfEqual, 0, 1, ownNumber], allow, refuse])),
    ...machine.opens.flatMap(([call, flags]) =>
      when(call, [argument(flags), [jumpIfAny, 1, 0, writing], allow, refuse]),
    ),
    allow,
  ])
}

function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8)
  for (const [index, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return bytes
}
