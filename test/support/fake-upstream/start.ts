import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { childEnv } from '../child-env.ts'
import { until } from '../until.ts'
import type { Behaviour, SeenRequest } from './behaviour.ts'

/** One provider of the vendor: requests below its addresses behave as it was told. */
export interface Lane {
  /** Where OpenAI's and Anthropic's paths begin. */
  readonly v1: string
  /** Where Gemini's begin. */
  readonly v1beta: string
  behave(behaviour: Behaviour): Promise<void>
  /** The calls of this lane, oldest first, without what only asks for its models. */
  seen(): Promise<readonly SeenRequest[]>
  /** The requests that only ask for its models. The platform sends them for its health checks, whenever they are due. */
  checks(): Promise<readonly SeenRequest[]>
  /** Waits until the calls of this lane are so. */
  seenUntil(isSo: (requests: readonly SeenRequest[]) => boolean): Promise<readonly SeenRequest[]>
}

/** A vendor in a process of its own. */
export interface FakeUpstream extends AsyncDisposable {
  readonly url: string
  readonly port: number
  lane(name: string): Lane
}

/** Starts a vendor that speaks OpenAI's, Anthropic's and Gemini's wire on loopback. */
export async function startFakeUpstream(): Promise<FakeUpstream> {
  const child = fork(path.join(import.meta.dirname, 'main.ts'), { env: childEnv, stdio: 'inherit' })
  const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }]
  const url = `http://127.0.0.1:${port}`
  return {
    ...{ url, port },
    lane: (name) => laneOf(url, name),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

function laneOf(url: string, name: string): Lane {
  const control = `${url}/control/${name}`
  const requests = async (): Promise<readonly SeenRequest[]> =>
    (await (await fetch(control)).json()) as readonly SeenRequest[]
  const seen = async () => (await requests()).filter(({ method }) => method !== 'GET')
  return {
    v1: `${url}/${name}/v1`,
    v1beta: `${url}/${name}/v1beta`,
    async behave(behaviour) {
      await fetch(control, { method: 'PUT', body: JSON.stringify(behaviour) })
    },
    seen,
    checks: async () => (await requests()).filter(({ method }) => method === 'GET'),
    async seenUntil(isSo) {
      let calls = await seen()
      await until(async () => isSo((calls = await seen())))
      return calls
    },
  }
}
