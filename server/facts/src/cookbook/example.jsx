// GENERATED — do not edit.
//   from main@aaaa {plus open PRs}
// Invented: nothing in it was measured. It holds everything odd that real snippets were seen with.
export const agentx = {
 "model": "Example-1",
 "generatedOn": "2026-10-08",
 "source": {
  "repo": "https://github.com/SemiAnalysisAI/InferenceX",
  "main": "aaaaaaaaaaaa",
  "prs": {
   "11": {
    "run": "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/9000000000901",
    "sha": "bbbbbbbb",
    "status": "verified-pr"
   },
   "12": {
    "run": null,
    "sha": "cccccccc",
    "status": "in-progress"
   }
  }
 },
 "hardware": [
  {
   "id": "gb300",
   "label": "GB300"
  }
 ],
 "checkpoints": [
  {
   "id": "example-org/Example-1"
  }
 ],
 "envs": [
  {
   "SGLANG_TIMEOUT_KEEP_ALIVE": "900"
  },
  {
   "SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE": "1",
   "A": "shared"
  }
 ],
 "files": {},
 "kvMooncake": {},
 "cells": [
  {
   "id": "ex-fp4-gb300-sglang-agentic#0",
   "hw": "gb300",
   "ckpt": "example-org/Example-1",
   "label": "Agg TP2·EP2",
   "detail": "MTP {3}-1-4 \"x\"",
   "gpus": 4,
   "configKey": "ex-fp4-gb300-sglang-agentic",
   "image": "lmsysorg/sglang:nightly-1@sha256:1111111111111111111111111111111111111111111111111111111111111111",
   "imageStatus": "ok",
   "imageCommit": "81f27fb3",
   "submitted": "sglang",
   "setup": [],
   "disclosures": [
    "synthetic-acceptance"
   ],
   "kv": {
    "available": [
     "none"
    ]
   },
   "prov": {
    "sha": "bbbbbbbb",
    "recipe": "recipes/a.yaml",
    "run": "9000000000901/attempts/2",
    "pr": "11",
    "status": "verified-pr",
    "date": "2026-10-08"
   },
   "points": [
    {
     "concs": [
      1
     ],
     "item": 0,
     "override": "override_c1",
     "goldenAL": "3.51",
     "kv": "none"
    },
    {
     "concs": [
      16,
      32
     ],
     "item": 0,
     "override": "override_c16",
     "goldenAL": "3.51",
     "kv": "none",
     "patch": {
      "sglang": [
       {
        "args": {
         "--max-running-requests": [
          "64"
         ],
         "--only-first": null,
         "--new": []
        },
        "env": {
         "PATCHED": "1"
        }
       }
      ],
      "dynamo": [
       null,
       {
        "args": {
         "--max-running-requests": [
          "64"
         ]
        }
       }
      ]
     }
    },
    {
     "concs": [
      64
     ],
     "item": 0,
     "goldenAL": "3.51",
     "kv": "none",
     "patch": {
      "sglang": {
       "replace": [
        {
         "kind": "worker",
         "cmd": "python3 -m sglang.launch_server",
         "args": [
          [
           "--replaced"
          ]
         ],
         "envRef": 0
        }
       ]
      }
     }
    }
   ],
   "routers": {
    "dynamo": {
     "install": [
      "pip install example"
     ],
     "files": [],
     "blocks": [
      {
       "kind": "etcd",
       "cmd": "etcd",
       "env": {},
       "args": [
        [
         "--data-dir",
         "/tmp/etcd"
        ]
       ]
      },
      {
       "from": 0,
       "cmd": "python3 -m dynamo.sglang",
       "diff": {
        "args": {
         "--request-plane": [
          "tcp"
         ],
         "--port": null
        },
        "env": {
         "DYN": "tcp"
        }
       }
      }
     ]
    },
    "sglang": {
     "install": [],
     "files": [],
     "blocks": [
      {
       "kind": "worker",
       "role": "agg",
       "workers": 1,
       "nodes_per_worker": 1,
       "cmd": "python3 -m sglang.launch_server",
       "env": {
        "SGLANG_DEFAULT_THINKING": "1"
       },
       "args": [
        [
         "--port",
         "30000"
        ],
        [
         "--bs",
         "1",
         "2",
         "4"
        ],
        [
         "--trust-remote-code"
        ],
        [
         "--only-first",
         "x"
        ],
        [
         "--max-running-requests",
         "2"
        ]
       ]
      }
     ]
    }
   }
  },
  {
   "id": "ex-fp4-gb300-sglang-agentic#1",
   "hw": "gb300",
   "label": "Agg TP4",
   "configKey": "ex-fp4-gb300-sglang-agentic",
   "gpus": 4,
   "image": "lmsysorg/sglang:nightly-0",
   "imageStatus": "pruned",
   "imageCommit": null,
   "submitted": "sglang",
   "disclosures": [],
   "prov": {
    "sha": "cccccccc",
    "pr": 12,
    "status": "in-progress"
   },
   "points": [
    {
     "concs": [
      4
     ],
     "item": 1,
     "goldenAL": 4.8,
     "kv": "none",
     "recipe": "r"
    }
   ],
   "routers": {
    "sglang": {
     "blocks": [
      {
       "ref": [
        0,
        "sglang",
        0
       ],
       "diff": {
        "args": {
         "--tp": [
          "4"
         ],
         "--bs": null
        },
        "env": {}
       },
       "envRef": 1
      }
     ]
    }
   }
  }
 ]
};
