import assert from 'node:assert/strict'
import { ParamsInvalidError } from '../../../kernel/errors.ts'
import { presentCursor, presentPage, readCursor, readPage } from '../../../kernel/http/list.ts'

describe('a paged list', () => {
  it('begins with twenty of the first page, in the order of the first field', () => {
    assert.deepEqual(readPage({}, ['-created_at', 'name']), {
      page: 1,
      size: 20,
      offset: 0,
      sort: [{ column: 'created_at', order: 'desc' }],
      q: '',
      pattern: undefined,
    })
  })

  it('takes the names that other clients use', () => {
    const { page, size, offset } = readPage({ pageNo: 3, pageSize: 7 }, ['id'])
    assert.deepEqual([page, size, offset, readPage({ size: 5 }, ['id']).size], [3, 7, 14, 5])
  })

  it('sorts by several fields, but by no other than the named ones', () => {
    assert.deepEqual(readPage({ sort: 'name, -created_at' }, ['-created_at', 'name']).sort, [
      { column: 'name', order: 'asc' },
      { column: 'created_at', order: 'desc' },
    ])
    assert.throws(() => readPage({ sort: 'password_hash' }, ['name']), ParamsInvalidError)
  })

  it('searches for what is typed, not for a pattern', () => {
    assert.equal(readPage({ q: ' 50%_\\ ' }, ['id']).pattern, '%50\\%\\_\\\\%')
  })

  it('tells how many pages there are', () => {
    const page = readPage({ page: 2, page_size: 2 }, ['id'])
    assert.deepEqual(presentPage(page, 5, ['c', 'd']), { items: ['c', 'd'], total: 5, page: 2, page_size: 2, pages: 3 })
  })
})

describe('a log', () => {
  it('tells where it goes on while there is more', () => {
    const page = readCursor({ cursor: '9', limit: 2 })
    const present = (rows: number[]) =>
      presentCursor(
        page,
        rows.map((id) => ({ id })),
        ({ id }) => id,
      )
    assert.deepEqual(
      [page, present([8, 7, 6]), present([8])],
      [
        { before: 9, limit: 2 },
        { items: [8, 7], next_cursor: '7', has_more: true },
        { items: [8], next_cursor: null, has_more: false },
      ],
    )
  })
})
