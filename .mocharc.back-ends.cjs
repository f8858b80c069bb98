'use strict'
const { readFileSync } = require('node:fs')
const suite = require('./.mocharc.cjs')

/** The files whose first line says that they depend on the back end; the others are the same on all of them. */
const tagged = suite.spec.filter((file) => readFileSync(file, 'utf8').startsWith('// @both-back-ends\n'))

module.exports = { ...suite, spec: tagged }
