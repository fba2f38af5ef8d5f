import type { Component } from "@collect/runtime";
import type { Router } from "express";

/** A bank that this process simulates: its APIs below a path, and what reports to the bank door. */
export type SimulatedBank = { path: string; routes: Router; reporter: Component };
