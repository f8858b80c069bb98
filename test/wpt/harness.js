// What the files of web-platform-tests call, as far as those chosen here do: tests are noted, and a slice of them is run by each call.
// It is written down once in each plugin, in front of a file's own text.

const noted = []
const cleanups = []
const location = { search: '', href: 'https://plugin.test/' }
const GLOBAL = { isWindow: () => false, isWorker: () => true, isShadowRealm: () => false }
const subsetTestByKey = (_key, run, ...given) => run(...given)
const subsetTest = (run, ...given) => run(...given)
const shouldRunSubTest = () => true

// Modules are strict: what a file makes without a declaration is declared here.
let structuredCloneBatteryOfTests

class Failed extends Error {}

function fail(text) {
  throw new Failed(text)
}

function show(value) {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  if (Object.is(value, -0)) return '-0'
  try {
    return String(value)
  } catch {
    return typeof value
  }
}
const format_value = show

function test(run, name) {
  const test = testOf(name)
  noted.push({ name: test.name, run: () => void run.call(test, test) })
}

function promise_test(run, name) {
  const test = testOf(name)
  const more = { name: test.name, run: () => run.call(test, test) }
  // Of a file that reads another one the tests are made when that is read.
  if (Object.keys(beside).length > 0) noted.push({ ...more, name: undefined })
  else noted.push(more)
}

function async_test(run, name) {
  const test = testOf(typeof run === 'string' ? run : name)
  if (typeof run !== 'function') {
    // What it does is done while the file is read.
    noted.push({ name: test.name, run: () => test.ended })
    return test
  }
  noted.push({
    name: test.name,
    run() {
      test.step(() => run.call(test, test))
      return test.ended
    },
  })
  return test
}

function testOf(name = 'a test without a name') {
  let settle
  let refuse
  const ended = new Promise((resolve, reject) => ([settle, refuse] = [resolve, reject]))
  ended.catch(() => undefined)
  const test = {
    name,
    ended,
    done: () => settle(),
    step(run, self, ...given) {
      try {
        return run.apply(self ?? test, given)
      } catch (error) {
        refuse(error)
        return undefined
      }
    },
    step_func:
      (run, self) =>
      (...given) =>
        test.step(run, self, ...given),
    step_func_done:
      (run) =>
      (...given) => {
        test.step(() => run?.apply(test, given))
        settle()
      },
    unreached_func: (text) => () => refuse(new Failed(text ?? 'this should not be reached')),
    step_timeout: (run, ms) => setTimeout(() => test.step(run), ms),
    add_cleanup: (run) => cleanups.push(run),
  }
  return test
}

const step_timeout = (run, ms) => setTimeout(run, ms)
/** A file that is one test says so, and says when it is done. */
let endOfSingle
function setup(run) {
  if (typeof run === 'function') return run()
  if (run?.single_test === true) {
    const ended = new Promise((resolve) => (endOfSingle = resolve))
    noted.push({ name: 'the file', run: () => ended })
  }
  return undefined
}
const done = () => endOfSingle?.()
function generate_tests(run, cases) {
  for (const [name, ...given] of cases) test(() => run(...given), name)
}
const promise_setup = (run) => noted.push({ name: undefined, run })

function assert_true(value, text = '') {
  if (value !== true) fail(`${text}: ${show(value)} is not true`)
}
function assert_false(value, text = '') {
  if (value !== false) fail(`${text}: ${show(value)} is not false`)
}
function assert_equals(value, wanted, text = '') {
  if (!Object.is(value, wanted)) fail(`${text}: ${show(value)} is not ${show(wanted)}`)
}
function assert_not_equals(value, other, text = '') {
  if (Object.is(value, other)) fail(`${text}: it is ${show(value)}`)
}
function assert_in_array(value, list, text = '') {
  if (!list.includes(value)) fail(`${text}: ${show(value)} is none of ${show(list)}`)
}
function assert_array_equals(value, wanted, text = '') {
  if (typeof value !== 'object' || value === null || value.length !== wanted.length)
    fail(`${text}: ${show(value)} is not as long as ${show(wanted)}`)
  for (let at = 0; at < wanted.length; at += 1) assert_equals(value[at], wanted[at], `${text} at ${at}`)
}
function assert_object_equals(value, wanted, text = '') {
  if (JSON.stringify(value) !== JSON.stringify(wanted)) fail(`${text}: ${show(value)} is not ${show(wanted)}`)
}
function assert_approx_equals(value, wanted, off, text = '') {
  if (!(Math.abs(value - wanted) <= off)) fail(`${text}: ${show(value)} is not about ${show(wanted)}`)
}
function assert_less_than(value, most, text = '') {
  if (!(value < most)) fail(`${text}: ${show(value)} is not below ${show(most)}`)
}
function assert_less_than_equal(value, most, text = '') {
  if (!(value <= most)) fail(`${text}: ${show(value)} is above ${show(most)}`)
}
function assert_greater_than(value, least, text = '') {
  if (!(value > least)) fail(`${text}: ${show(value)} is not above ${show(least)}`)
}
function assert_greater_than_equal(value, least, text = '') {
  if (!(value >= least)) fail(`${text}: ${show(value)} is below ${show(least)}`)
}
function assert_regexp_match(value, form, text = '') {
  if (!form.test(value)) fail(`${text}: ${show(value)} is not of ${show(form)}`)
}
function assert_class_string(value, wanted, text = '') {
  assert_equals(Object.prototype.toString.call(value), `[object ${wanted}]`, text)
}
function assert_own_property(value, name, text = '') {
  if (!Object.hasOwn(value, name)) fail(`${text}: it has no ${show(name)} of its own`)
}
function assert_not_own_property(value, name, text = '') {
  if (Object.hasOwn(value, name)) fail(`${text}: it has ${show(name)} of its own`)
}
function assert_readonly(value, name, text = '') {
  const before = value[name]
  try {
    value[name] = `${before}changed`
  } catch {
    // Modules are strict, and say so.
  }
  assert_equals(value[name], before, text)
}
function assert_idl_attribute(value, name, text = '') {
  if (!(name in value)) fail(`${text}: it has no ${show(name)}`)
}
const assert_inherits = assert_idl_attribute
function assert_unreached(text = '') {
  fail(`${text}: this should not be reached`)
}

function thrownBy(run, text) {
  let thrown
  try {
    run()
  } catch (error) {
    thrown = [error]
  }
  return thrown ? thrown[0] : fail(`${text}: nothing was thrown`)
}
function isOf(constructor, error, text) {
  if (typeof error !== 'object' || error === null || error.name !== constructor.name)
    fail(`${text}: ${show(error)} is no ${constructor.name}`)
}
const codes = {
  SYNTAX_ERR: 'SyntaxError',
  INVALID_STATE_ERR: 'InvalidStateError',
  QUOTA_EXCEEDED_ERR: 'QuotaExceededError',
}
const others = {
  INVALID_CHARACTER_ERR: 'InvalidCharacterError',
  DATA_CLONE_ERR: 'DataCloneError',
  TYPE_MISMATCH_ERR: 'TypeMismatchError',
}
function isOfDom(type, error, text) {
  const name = codes[type] ?? others[type] ?? type
  if (!(error instanceof DOMException) || error.name !== name)
    fail(`${text}: ${show(error)} is no DOMException ${name}`)
}
function assert_throws_js(constructor, run, text = '') {
  isOf(constructor, thrownBy(run, text), text)
}
function assert_throws_dom(type, ...given) {
  const [run, text = ''] = typeof given[1] === 'function' ? given.slice(1) : given
  isOfDom(type, thrownBy(run, text), text)
}
function assert_throws_exactly(wanted, run, text = '') {
  if (!Object.is(thrownBy(run, text), wanted)) fail(`${text}: something else was thrown`)
}
const refusedBy = (promise, text) =>
  promise.then(
    () => fail(`${text}: it was not refused`),
    (error) => error,
  )
async function promise_rejects_js(_test, constructor, promise, text = '') {
  isOf(constructor, await refusedBy(promise, text), text)
}
async function promise_rejects_dom(_test, type, ...given) {
  const [promise, text = ''] = typeof given[0]?.then === 'function' ? given : given.slice(1)
  isOfDom(type, await refusedBy(promise, text), text)
}
async function promise_rejects_exactly(_test, wanted, promise, text = '') {
  if (!Object.is(await refusedBy(promise, text), wanted)) fail(`${text}: it was refused otherwise`)
}

/** Files beside a test, which it reads as a browser would. */
const fetch = async (name) => ({ json: () => structuredClone(beside[name]) })
const fetch_json = async (name) => structuredClone(beside[name])

const timeLimit = (ms) => new Promise((_, reject) => setTimeout(() => reject(new Failed('it did not end')), ms))

/** Runs some of the tests that were noted; says how many there are, how many of these passed and what the others said. */
async function runSlice(from, to) {
  for (const { name, run } of [...noted]) if (name === undefined) await run()
  const tests = noted.filter(({ name }) => name !== undefined)
  const failures = []
  for (const { name, run } of tests.slice(from, to)) {
    try {
      await Promise.race([run(), timeLimit(2_000)])
    } catch (error) {
      failures.push(`${String(name)}: ${String(error?.message ?? error)}`.slice(0, 300))
    }
  }
  for (const clean of cleanups) await clean()
  return { total: tests.length, failures }
}
