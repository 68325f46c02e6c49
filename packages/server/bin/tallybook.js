#!/usr/bin/env node
// A file that exists before the first build, so that package managers can link it.
import '../dist/main.js';
