import type { CapabilityGiven, CapabilitySeen } from '../../capabilities/table.ts'
import type { License } from '../ctx.ts'
import type { TestJob } from '../../capabilities/jobs.ts'
import type { ProvidedName } from './provided-name.ts'
import type { Base64, Json } from '../../capabilities/json.ts'
import type { OpenedPage, TestPageContext } from './opened-page.ts'

export type { FakeAnswer, SentRequest } from '../../capabilities/outside.ts'
export type { TestAttachment } from '../../capabilities/attachments.ts'
export type { TestJob } from '../../capabilities/jobs.ts'
export type { TestServiceCall } from '../../capabilities/services.ts'
export type { TestEvent } from '../../capabilities/own-data.ts'
export type { TestNotification } from '../../capabilities/platform.ts'
export type {
  OpenedPage,
  PageAsked,
  PageChange,
  PageElement,
  PageElements,
  PageSaid,
  TestPageContext,
} from './opened-page.ts'

/** Who calls in a test. What is left out is a user 1 of the tenant 1, `test`, who holds every permission of the plugin. */
export interface TestCaller {
  /** `null` is the platform. */
  readonly tenant?: { readonly id: number; readonly code: string } | null
  /** `null` is nobody, as on public routes. Permissions are the manifest's short codes. */
  readonly user?: { readonly id: number; readonly permissions: readonly string[] } | null
  /** `en` unless said otherwise. */
  readonly locale?: string
}

/** A file of a form. */
interface TestFile {
  readonly field: string
  readonly filename: string
  /** Text, or bytes in base64. */
  readonly data: string | Base64
}

/** What of a request a test cares about; the rest is an empty GET of `/`. */
export interface TestRequest {
  readonly method?: string
  readonly path?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  readonly headers?: Readonly<Record<string, string>>
  /** On routes with `"body": "multipart"` the fields of the form. */
  readonly body?: Json
  /** On such routes its files. */
  readonly files?: readonly TestFile[]
  /** For routes with `rawBody`; the JSON of `body` unless given. */
  readonly rawBody?: string
  readonly ip?: string
}

/** A line that the plugin logged. */
export interface TestLogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
}

/** What a caller would get, and what only the author sees. */
export interface TestAnswer {
  readonly status: number
  /** 0 for a success, the platform's code otherwise. */
  readonly code: number
  /** The `data` of a JSON answer; the text of another, or `{ base64 }` where it is no text. `null` with an error. */
  readonly data: Json
  readonly headers: Readonly<Record<string, string>>
  /** What was refused; `details` and below are as the caller sees them. */
  readonly error?: {
    readonly reason: string
    readonly message: string
    readonly details?: unknown
    /** What of an argument or an answer does not fit its schema. */
    readonly errors?: readonly { readonly field: string; readonly rule: string; readonly message: string }[]
  }
  /** What was thrown, with the lines of the author's own files, or why the answer is not valid; no caller sees it. */
  readonly stack?: string
  /** Milliseconds of CPU and of wall clock, and calls to the host. */
  readonly cost: { readonly cpuMs: number; readonly wallMs: number; readonly hostCalls: number }
  readonly logs: readonly TestLogLine[]
}

/** What a test gives a plugin to live in. */
export interface TestOptions extends CapabilityGiven {
  /** How every tenant is licensed; `none` without it. */
  readonly license?: License
  /** Limits below the production's, by the names of the limits table, such as `wallMs`. */
  readonly limits?: Readonly<Record<string, number>>
  /** Capabilities that an administrator took back, or the tenant refuses. */
  readonly refuse?: readonly string[]
}

/** A plugin in a real isolate of a real sandbox host, with the rights its manifest asks for. Dispose of it after the tests. */
export interface TestPlugin extends AsyncDisposable, CapabilitySeen {
  readonly name: string
  readonly version: string
  /** Calls a handler, as a route does. */
  call(handler: string, request?: TestRequest, caller?: TestCaller): Promise<TestAnswer>
  /**
   * Calls what stands in the manifest under `METHOD /path`, such as `GET /links/7` or, with `params`, `GET /links/:id`, past its
   * permission: 404/4040 and 403/4030 as in production. The handler sees the headers it would see there.
   */
  request(route: string, request?: TestRequest, caller?: TestCaller): Promise<TestAnswer>
  /** Runs a schedule of the manifest once. */
  runSchedule(id: string, caller?: TestCaller): Promise<TestAnswer>
  /**
   * Does a job of the manifest, all its steps one after the other without their pauses, and answers what the last one returned. `job` is its
   * name, or one of `enqueued`.
   */
  runJob(job: string | TestJob, input?: Json, caller?: TestCaller): Promise<TestAnswer & { readonly steps: number }>
  /** Calls a method of a service that the manifest provides, as `contacts.find`, held to its schemas. */
  callService(method: string, input?: Json, caller?: TestCaller): Promise<TestAnswer>
  /** Delivers an event to the plugin's listener; 404 when the manifest subscribes to no such event. */
  deliver(type: string, payload: Json, caller?: TestCaller): Promise<TestAnswer>
  /** Runs a hook of the manifest, such as `postInstall`. */
  runHook(hook: string, input?: Json): Promise<TestAnswer>
  /** Calls one of the manifest's AI tools by its name, past its permission and the schemas of its input and output. */
  callTool(name: string, input: Json, caller?: TestCaller): Promise<TestAnswer>
  /**
   * Calls a function of the manifest's AI providers, guardrails or routers, as `{ provider: 'acme', mapping: 'request' }`,
   * `{ guardrail: 'cards', phase: 'input' }` or `{ router: 'near' }`; 502/5029 for an answer that the gateway would not take.
   */
  callAi(what: ProvidedName, input: Json, caller?: TestCaller): Promise<TestAnswer>
  /** Calls a function of the plugin's captcha. */
  captcha(step: 'challenge' | 'verify', input: Json, caller?: TestCaller): Promise<TestAnswer>
  /** Whether there is a Chromium that `openPage` opens pages in; where there is none a test of a page can be skipped. */
  readonly hasBrowser: boolean
  /**
   * Opens the page of a slot of the manifest in Chromium, as the console shows it, and resolves once it is ready. Its routes are answered by
   * this plugin. Throws what keeps it from being ready, with file and line.
   */
  openPage(slot: string, options?: { readonly context?: TestPageContext }): Promise<OpenedPage>
}

/** What of it needs no browser. */
export type TestPluginWithoutPages = Omit<TestPlugin, 'openPage' | 'hasBrowser'>

/** Packs a plugin's folder as `stoa pack` does and starts it; throws what `stoa pack` would refuse it with. */
export type LoadPlugin = (folder: string, options?: TestOptions) => Promise<TestPlugin>
