// Retold for the sample: not the file of sgl-project/sglang, but its form with what the discussion of pull request 4603 states.
// Stated: key, image, commit, run, status, points, golden acceptance length, and the settings of TP4 c1 that have a value there.
// Invented: the split into cells, their items and names, the order of arguments, {DAY} as the day of its making.
export const agentx = {
 "model": "DeepSeek-V4.1",
 "generatedOn": "{DAY}",
 "source": {
  "repo": "https://github.com/SemiAnalysisAI/InferenceX",
  "prs": {
   "4603": {PULL}
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
   "id": "deepseek-ai/DeepSeek-V4.1-Flash"
  }
 ],
 "envs": [
  {
   "SGLANG_DEFAULT_THINKING": "1",
   "SGLANG_DSV41_REASONING_EFFORT": "high"
  }
 ],
 "files": {},
 "cells": [
  {
   "id": "dsv41flash-fp4-gb300-sglang-agentic-dspark#0",
   "hw": "gb300",
   "ckpt": "deepseek-ai/DeepSeek-V4.1-Flash",
   "label": "Agg TP4",
   "detail": "DSpark 5",
   "gpus": 4,
   "configKey": "dsv41flash-fp4-gb300-sglang-agentic-dspark",
   "image": "{IMAGE}",
   "imageStatus": "ok",
   "imageCommit": "{IMAGE_COMMIT}",
   "submitted": "sglang",
   "setup": [],
   "disclosures": [
    "synthetic-acceptance"
   ],
   "kv": {
    "available": [
     "none"
    ],
    "unavailable": {}
   },
   "prov": {PROV},
   "points": [
    {
     "concs": [1],
     "item": 0,
     "override": "override_tp4_c1",
     "goldenAL": "3.51",
     "kv": "none"
    },
    {
     "concs": [4],
     "item": 1,
     "override": "override_tp4_c4",
     "goldenAL": "3.51",
     "kv": "none",
     "patch": {
      "sglang": [
       {
        "args": {
         "--enable-nvidia-megakernel": null,
         "--kv-cache-dtype": null,
         "--mem-fraction-static": null,
         "--cuda-graph-max-bs-decode": null
        },
        "env": {
         "SGLANG_ENABLE_NV_MEGA_RUNTIME_OPTIMIZATION": null,
         "SGLANG_OPT_DSV41_DSPARK_SIM_DRAW_AHEAD": null,
         "SGLANG_SPEC_TP_SYNC": null
        }
       }
      ]
     }
    },
    {
     "concs": [16],
     "item": 2,
     "override": "override_tp4_c16",
     "goldenAL": "3.51",
     "kv": "none",
     "patch": {
      "sglang": [
       {
        "args": {
         "--enable-nvidia-megakernel": null,
         "--kv-cache-dtype": null,
         "--mem-fraction-static": null,
         "--cuda-graph-max-bs-decode": null
        },
        "env": {
         "SGLANG_ENABLE_NV_MEGA_RUNTIME_OPTIMIZATION": null,
         "SGLANG_OPT_DSV41_DSPARK_SIM_DRAW_AHEAD": null,
         "SGLANG_SPEC_TP_SYNC": null
        }
       }
      ]
     }
    }
   ],
   "routers": {
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
        "SGLANG_DEFAULT_THINKING": "1",
        "SGLANG_DSV41_REASONING_EFFORT": "high",
        "SGLANG_ENABLE_NV_MEGA_RUNTIME_OPTIMIZATION": "1",
        "SGLANG_OPT_DSV41_DSPARK_SIM_DRAW_AHEAD": "1",
        "SGLANG_SPEC_TP_SYNC": "rng,-dspark-accept-sample"
       },
       "args": [
        ["--model-path", "deepseek-ai/DeepSeek-V4.1-Flash"],
        ["--context-length", "1048576"],
        ["--cuda-graph-max-bs-decode", "1"],
        ["--dsv4-attn-backend", "flashmla"],
        ["--enable-nvidia-megakernel"],
        ["--kv-cache-dtype", "fp8_e4m3"],
        ["--mem-fraction-static", "0.91"],
        ["--moe-a2a-backend", "none"],
        ["--prefill-decode-interval", "16"],
        ["--schedule-policy", "lpm"],
        ["--speculative-dspark-block-size", "5"],
        ["--startup-weight-load-mode", "serial"],
        ["--swa-prefix-tails", "128"],
        ["--tensor-parallel-size", "4"]
       ]
      }
     ]
    }
   }
  },
  {
   "id": "dsv41flash-fp4-gb300-sglang-agentic-dspark#3",
   "hw": "gb300",
   "ckpt": "deepseek-ai/DeepSeek-V4.1-Flash",
   "label": "Agg TP2·EP2",
   "detail": "DSpark 5",
   "gpus": 2,
   "configKey": "dsv41flash-fp4-gb300-sglang-agentic-dspark",
   "image": "{IMAGE}",
   "imageStatus": "ok",
   "imageCommit": "{IMAGE_COMMIT}",
   "submitted": "sglang",
   "setup": [],
   "disclosures": [
    "synthetic-acceptance"
   ],
   "kv": {
    "available": [
     "none"
    ],
    "unavailable": {}
   },
   "prov": {PROV},
   "points": [
    {
     "concs": [16],
     "item": 3,
     "override": "override_tp2_c16",
     "goldenAL": "3.51",
     "kv": "none"
    },
    {
     "concs": [32],
     "item": 4,
     "override": "override_tp2_c32",
     "goldenAL": "3.51",
     "kv": "none"
    }
   ],
   "routers": {
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
       "envRef": 0,
       "args": [
        ["--model-path", "deepseek-ai/DeepSeek-V4.1-Flash"],
        ["--dsv4-attn-backend", "flashmla"],
        ["--expert-parallel-size", "2"],
        ["--speculative-dspark-block-size", "5"],
        ["--tensor-parallel-size", "2"]
       ]
      }
     ]
    }
   }
  },
  {
   "id": "dsv41flash-fp4-gb300-sglang-agentic-dspark#5",
   "hw": "gb300",
   "ckpt": "deepseek-ai/DeepSeek-V4.1-Flash",
   "label": "Agg TP2·EP2·DPA",
   "detail": "DSpark 5",
   "gpus": 2,
   "configKey": "dsv41flash-fp4-gb300-sglang-agentic-dspark",
   "image": "{IMAGE}",
   "imageStatus": "ok",
   "imageCommit": "{IMAGE_COMMIT}",
   "submitted": "sglang",
   "setup": [],
   "disclosures": [
    "synthetic-acceptance"
   ],
   "kv": {
    "available": [
     "none"
    ],
    "unavailable": {}
   },
   "prov": {PROV},
   "points": [
    {
     "concs": [64],
     "item": 5,
     "goldenAL": "3.51",
     "kv": "none"
    },
    {
     "concs": [128],
     "item": 5,
     "goldenAL": "3.51",
     "kv": "none"
    },
    {
     "concs": [160],
     "item": 5,
     "goldenAL": "3.51",
     "kv": "none"
    }
   ],
   "routers": {
    "sglang": {
     "install": [],
     "files": [],
     "blocks": [
      {
       "ref": [
        1,
        "sglang",
        0
       ],
       "diff": {
        "args": {
         "--dsv4-attn-backend": null,
         "--enable-dp-attention": []
        }
       }
      },
      {
       "kind": "sglang-router",
       "cmd": "python3 -m sglang_router.launch_router",
       "env": {},
       "args": []
      }
     ]
    }
   }
  }
 ]
};
